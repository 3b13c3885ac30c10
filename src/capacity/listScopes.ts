/** The workspaces whose capacity the caller may see: what the page offers as scopes. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { readScopes, type ScopeChoice } from './scopeQueries.ts';

export type { ScopeChoice } from './scopeQueries.ts';

const Input = z.strictObject({});

export const listScopes: Read<z.infer<typeof Input>, { workspaces: readonly ScopeChoice[] }> = {
  name: 'listScopes',
  input: Input,
  run: async (tx, caller) => ({ workspaces: await readScopes(tx, caller) }),
};
