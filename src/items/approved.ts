/** The approved values of an item that was changed after its approval (behaviour §4.24). Pure. */
import { z } from 'zod';
import { fieldsWith } from './fields.ts';
import type { Work } from './schema.ts';

export const approvable = ['title', 'description', ...fieldsWith('approved')] as const;
export type ApprovableName = (typeof approvable)[number];
/** The approved values, without those that the reader may not see. */
export const Approved = z.partialRecord(z.enum(approvable), z.union([z.string(), z.number()]).nullable());
export type Approved = z.infer<typeof Approved>;

export const nowOf = (item: Work, name: ApprovableName): string | number | null =>
  (name === 'title' || name === 'description' ? item[name] : item.fields[name]) ?? null;

export function differing(item: Work, approved: Approved): Approved {
  const names = approvable.filter((name) => approved[name] !== undefined && approved[name] !== nowOf(item, name));
  return Object.fromEntries(names.map((name) => [name, approved[name]]));
}
