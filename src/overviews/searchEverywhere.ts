/** Global search: items of all types and people, in all of a user's workspaces (behaviour §22.1). */
import { z } from 'zod';
import { isIndexed } from '../items/findWork/textQueries.ts';
import type { Read } from '../operations/operation.ts';
import { Text } from '../values/text.ts';
import { type Everywhere, readEverywhere, type Sought } from './searchEverywhereQueries.ts';

export type { Everywhere, FoundItem, FoundPerson } from './searchEverywhereQueries.ts';

const MOST_WORDS = 8;
const most = z.int('give a whole number from 1 to 50').min(1).max(50);

const Input = z.strictObject({
  q: Text(1, 300),
  /** Includes archived items, after the others. */
  archived: z.boolean().default(false),
  limit: most.default(20),
});
type Input = z.infer<typeof Input>;

export const searchEverywhere: Read<Input, Everywhere> = {
  name: 'searchEverywhere',
  input: Input,
  async run(tx, caller, input) {
    const sought = soughtBy(input);
    if (!sought) return { items: [], more: false, people: [] };
    return readEverywhere(tx, caller, sought);
  },
};

export function soughtBy({ q, archived, limit }: Pick<Input, 'q' | 'archived' | 'limit'>): Sought | null {
  const words = q.split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
  if (words.length === 0) return null;
  // Longest first, because it is probably the rarest.
  const [first, second = first] = words.filter((word) => isIndexed(word)).sort((a, b) => b.length - a.length);
  const number = Number(/^#?(\d{1,15})$/.exec(q.trim())?.[1] ?? 0);
  return { words, keys: first === undefined ? null : [first, second!], number: number > 0 ? number : null, archived, limit };
}
