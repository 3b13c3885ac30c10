/** Changes the statuses and priorities of a workspace (behaviour §12.13). */
import { z } from 'zod';
import { type AccountPermit, runsWorkspace } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { itemTypes } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id, Label } from '../values/text.ts';
import { WipLimits } from './schema.ts';
import { approvalStatuses, approvalTypes, statuses } from './statuses.ts';
import {
  deleteUnused,
  insertPriority,
  insertStatus,
  lockWorkflow,
  readOrder,
  readPlannedTypes,
  readRanks,
  setDefault,
  setLabel,
  setLimits,
  setRank,
  writeOrder,
} from './workflowQueries.ts';

/** One position up or down, or before another key (null: to the end). */
export type Step = { direction: 'up' | 'down' } | { before: string | null };

/** The keys in their new order; unchanged at the ends. Returns null if `key` or the other key is missing. */
export function movedKeys(keys: readonly string[], key: string, step: Step): string[] | null {
  const from = keys.indexOf(key);
  if (from < 0) return null;
  const others = keys.filter((one) => one !== key);
  const to = 'direction' in step ? from + (step.direction === 'up' ? -1 : 1) : placeBefore(others, step.before);
  if (to === null) return null;
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, key);
}

function placeBefore(others: readonly string[], before: string | null): number | null {
  if (before === null) return others.length;
  const at = others.indexOf(before);
  return at < 0 ? null : at;
}

/** Distinct ranks for an order, highest first. Keeps existing ranks if possible; uses small ones if they would exceed `most`. */
export function distinctRanks(ranks: readonly number[], most: number): number[] {
  const all: number[] = [];
  for (const rank of ranks.toSorted((a, b) => a - b)) all.unshift(Math.max(rank, (all[0] ?? rank - 1) + 1));
  return (all[0] ?? 0) <= most ? all : all.map((_, at) => all.length - at);
}

function change<Input extends { workspaceId: number }>(
  name: string,
  input: z.ZodType<Input>,
  run: (tx: Tx, permit: AccountPermit, input: Input) => Promise<void>,
): Write<Input, void, AccountPermit> {
  return {
    name,
    input,
    authorize: (tx: Tx, caller: Caller, { workspaceId }: Input) => runsWorkspace(tx, caller, workspaceId),
    audit: [{ kind: 'workspace.words', about: (_permit, { workspaceId }) => ({ type: 'words', id: workspaceId }) }],
    async run(tx, permit, given) {
      await lockWorkflow(tx, permit);
      await run(tx, permit, given);
    },
  };
}

const Key = z.string('give a key').regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'give up to 100 small letters, digits, - and _, such as in_test');
const rankMessage = 'give a whole number; higher is more urgent';
const MOST_RANK = 1_000_000;
const Rank = z.int(rankMessage).min(-MOST_RANK, rankMessage).max(MOST_RANK, rankMessage);
const Kind = z.enum(['statuses', 'priorities']);

const Approving = z.object({ status: z.enum(statuses), types: z.array(z.enum(itemTypes)).min(1, 'choose at least one type') });
const NewStatus = z
  .strictObject({ workspaceId: Id, key: Key, label: Label(200), ...Approving.shape })
  .refine(({ status, types }) => !approvalStatuses.includes(status) || types.every((type) => approvalTypes.includes(type)), {
    path: ['types'],
    error: 'choose only requirements and releases: other types have no approval',
    // Runs even if name or key is invalid, so that a form shows all faults.
    when: ({ value }) => Approving.safeParse(value).success,
  });

export const addStatus = change('addStatus', NewStatus, (tx, permit, { workspaceId: _at, ...status }) => insertStatus(tx, permit, status));

const Renaming = z.strictObject({ workspaceId: Id, kind: Kind, key: z.string(), label: Label(200) });
export const renameWord = change('renameWord', Renaming, (tx, permit, { kind, key, label }) => setLabel(tx, permit, kind, key, label));

const Limiting = z.strictObject({ workspaceId: Id, key: z.string(), ...WipLimits.shape });
export const limitStatus = change('limitStatus', Limiting, (tx, permit, { key, wipItems, wipHours }) =>
  setLimits(tx, permit, key, { wipItems, wipHours }),
);

const Move = z
  .strictObject({
    workspaceId: Id,
    key: z.string(),
    direction: z.enum(['up', 'down']).optional(),
    before: z.string().nullable().optional(),
  })
  .refine(({ direction, before }) => (direction === undefined) !== (before === undefined), {
    path: ['direction'],
    error: 'give up or down, or the entry to move it before.',
  });
type Move = z.infer<typeof Move>;

function reordered(keys: readonly string[], { key, direction, before }: Move, what: string): string[] {
  const found = movedKeys(keys, key, direction === undefined ? { before: before ?? null } : { direction });
  if (!found) throw new InvalidRequest(['key'], `this ${what} no longer exists; reload the page.`);
  return found;
}

/** The first of several statuses with the same canonical status is its default. */
export const moveStatus = change('moveStatus', Move, async (tx, permit, move) => {
  await writeOrder(tx, permit, reordered(await readOrder(tx, permit), move, 'status'));
});

/** Ranks follow the new order. */
export const movePriority = change('movePriority', Move, async (tx, permit, move) => {
  const found = await readRanks(tx, permit);
  const keys = reordered(
    found.map(({ key }) => key),
    move,
    'priority',
  );
  const ranks = distinctRanks(
    found.map(({ rank }) => rank),
    MOST_RANK,
  );
  for (const [at, key] of keys.entries()) await setRank(tx, permit, key, elementAt(ranks, at));
  await markForecastOf(tx, permit.workspaceId);
});

const Deleting = z.strictObject({ workspaceId: Id, kind: Kind, key: z.string() });
export const deleteWord = change('deleteWord', Deleting, async (tx, permit, { kind, key }) => {
  const before = await readPlannedTypes(tx, permit);
  await deleteUnused(tx, permit, kind, key);
  const after = await readPlannedTypes(tx, permit);
  const lost = before.find((type) => !after.includes(type));
  if (lost) throw new Conflict(`'${key}' is the only initial status of a ${lost}. Add another planned status first.`);
});

const NewPriority = z.strictObject({ workspaceId: Id, key: Key, label: Label(200), rank: Rank });
export const addPriority = change('addPriority', NewPriority, (tx, permit, { workspaceId: _at, ...priority }) =>
  insertPriority(tx, permit, priority),
);

const Ranking = z.strictObject({ workspaceId: Id, key: z.string(), label: Label(200), rank: Rank });
export const changePriority = change('changePriority', Ranking, async (tx, permit, { key, label, rank }) => {
  await setLabel(tx, permit, 'priorities', key, label);
  await setRank(tx, permit, key, rank);
  await markForecastOf(tx, permit.workspaceId);
});

const Default = z.strictObject({ workspaceId: Id, key: z.string().nullable() });
export const setDefaultPriority = change('setDefaultPriority', Default, (tx, permit, { key }) => setDefault(tx, permit, key));
