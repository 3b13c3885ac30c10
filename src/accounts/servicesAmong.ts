/** Who of some users of the caller's account is a service, for pages that draw them otherwise than people. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readServices } from './userKindQueries.ts';

const Input = z.strictObject({ ids: z.array(Id).min(1).max(100) });

export const servicesAmong: Read<z.infer<typeof Input>, ReadonlySet<number>> = {
  name: 'servicesAmong',
  input: Input,
  run: async (tx, caller, { ids }) => new Set(await readServices(tx, caller, ids)),
};
