/** GET /options, behaviour §5.18: the statuses, priorities and assignees of a workspace that the caller can read. */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readOptions } from './queries.ts';
import type { Options } from './schema.ts';

const Input = z.strictObject({ workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }) });

export const getOptions: Read<z.infer<typeof Input>, Options> = {
  name: 'getOptions',
  input: Input,
  run: async (tx, caller, { workspaceId }) => new JsonText(await readOptions(tx, caller, workspaceId)),
};
