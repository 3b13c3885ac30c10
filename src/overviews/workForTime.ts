/** Finds the item to record or plan time on, by number or title words (behaviour §20.5), first among the user's own work. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { bits } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Read } from '../operations/operation.ts';
import { Id, Text } from '../values/text.ts';
import { soughtBy } from './searchEverywhere.ts';
import { readEverywhere } from './searchEverywhereQueries.ts';
import { type Choice, type KnownWork, readKnownWork } from './workForTimeQueries.ts';

export type { Choice } from './workForTimeQueries.ts';

const MOST_CHOICES = 8;
const MOST_FOUND = 20;

const Input = z.strictObject({
  id: Id.nullable(),
  words: Text(0, 300),
  kind: z.enum(['time', 'plans']),
  limit: z.int().min(1).max(100).default(MOST_CHOICES),
});
type Input = z.infer<typeof Input>;

export interface WorkForTime {
  /** The found item; null if ambiguous. */
  work: Choice | null;
  /** The matching items, or the user's current work if none match. */
  choices: readonly Choice[];
  found: boolean;
}

export const workForTime: Read<Input, WorkForTime> = {
  name: 'workForTime',
  input: Input,
  async run(tx, caller, { id, words, kind, limit }) {
    const right = bits(kind, 'write');
    const asked = { right, id, words: words.split(/\s+/u).filter(Boolean), limit };
    const known = await readKnownWork(tx, caller, asked);
    if (id !== null) return known.named ? meant(known.named) : { work: null, choices: known.known, found: false };
    if (!asked.words.length) return { work: null, choices: known.known, found: false };
    const fitting = known.known.length ? known.known : await findElsewhere(tx, caller, words, known);
    if (fitting.length) return chosenOf(fitting, words);
    return { work: null, choices: (await readKnownWork(tx, caller, { ...asked, words: [] })).known, found: false };
  },
};

const meant = (work: Choice): WorkForTime => ({ work, choices: [work], found: true });

function chosenOf(fitting: readonly Choice[], words: string): WorkForTime {
  const exact = fitting.filter(({ title }) => title.toLowerCase() === words.toLowerCase());
  const [only] = exact.length === 1 ? exact : fitting;
  return exact.length === 1 || fitting.length === 1 ? { ...meant(only!), choices: fitting } : { work: null, choices: fitting, found: true };
}

async function findElsewhere(tx: Tx, caller: Caller, words: string, { workspaces }: KnownWork): Promise<Choice[]> {
  const sought = soughtBy({ q: words, archived: false, limit: MOST_FOUND });
  if (!sought || !workspaces.length) return [];
  const { items } = await readEverywhere(tx, caller, { ...sought, number: null });
  const open = items.filter((one) => workspaces.includes(one.workspaceId) && one.status !== 'done' && one.status !== 'cancelled');
  const titled = open.filter(({ title }) => sought.words.every((word) => title.toLowerCase().includes(word.toLowerCase())));
  return titled.slice(0, MOST_CHOICES).map(({ id, workspaceId, workspace, title }) => ({ id, workspaceId, workspace, title }));
}
