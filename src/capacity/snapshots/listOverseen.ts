/** Workspaces whose forecast the caller may see, searched by name, for menus that are too long (behaviour §24.8). */
import { z } from 'zod';
import type { Read } from '../../operations/operation.ts';
import { type OverseenPage, readOverseen } from './overseenQueries.ts';

export type { Overseen } from './overseenQueries.ts';

const Input = z.strictObject({ q: z.string().max(300) });

export const listOverseen: Read<z.infer<typeof Input>, OverseenPage> = {
  name: 'listOverseen',
  input: Input,
  run: (tx, caller, { q }) => readOverseen(tx, caller, q),
};
