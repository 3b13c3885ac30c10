/** Starts or stops watching an item (behaviour §10.19). */
import { z } from 'zod';
import { readTarget } from '../comments/queries.ts';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { setWatch } from './watchQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id, watching: z.boolean() });
type Input = z.infer<typeof Input>;

export const watchItem: Write<Input, Input> = {
  name: 'watchItem',
  input: Input,
  authorize: (tx, caller, { workspaceId, id }) => readTarget(tx, caller, workspaceId, id),
  async run(tx, permit, input) {
    await setWatch(tx, permit, input.id, input.watching);
    return input;
  },
};
