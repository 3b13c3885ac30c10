/** svc_update_items: up to 100 items changed and noted, all or none, in one statement (behaviour §7.38). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { ItemType } from '../access/rights.ts';
import { changedFields } from '../items/changedFields.ts';
import { changesForecast, decideItem, idsIn } from '../items/decide.ts';
import { readFacts, readWorkspaceOf } from '../items/queries.ts';
import { mayWrite } from '../items/saveItem.ts';
import type { Work } from '../items/schema.ts';
import { changed } from '../items/updateItem.ts';
import { changedSince, inBatch, type Warning, warningsOf } from '../items/warnings.ts';
import { currentVersions, type Revision, updateItems as updateRows } from '../items/writeQueries.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { atIndex, Forbidden, VersionConflicts } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { notesBeside } from './besideQueries.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';
import { ItemUpdateWithNote, mayNote, orTooLate, requireRewritten, rewritten, type UpdateFacts } from './updateItem.ts';

const Input = z
  .strictObject({
    workspaceId: Id,
    items: z
      .array(ItemUpdateWithNote, { error: 'give a list of 1 to 100 items' })
      .min(1, 'give 1 to 100 items')
      .max(100, 'give at most 100 items'),
  })
  .check(({ value: { items }, issues }) => {
    const seen = new Set<number>();
    items.forEach(({ id }, index) => {
      if (seen.has(id)) issues.push({ code: 'custom', path: ['items', index, 'id'], message: 'give each item once', input: id });
      seen.add(id);
    });
  });
type Input = z.infer<typeof Input>;
type Facts = Permit & UpdateFacts;
type UpdatedItem = Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'>;
interface Updated {
  items: (UpdatedItem & { changedSinceApproval?: true })[];
  warnings?: Warning[];
}
/** As Updated, with the flag of each item and warnings of what was decided alone. */
interface Stored {
  items: (UpdatedItem & { changedSinceApproval: boolean })[];
  warnings: Warning[];
}

export const updateItems: StatementWrite<Input, UpdateFacts, Updated, (Rewritten | null)[], Stored> = {
  name: 'updateItems',
  input: Input,
  prepares: ({ items }) => items.some(({ note }) => note !== undefined),
  placeOf: ({ items }, itemId) => [
    'items',
    Math.max(
      0,
      items.findIndex(({ id }) => id === itemId),
    ),
  ],

  async authorize(tx, caller, { workspaceId, items }) {
    const permit = await readFacts(tx, caller, { workspaceId, ids: items.map(({ id }) => id), ...idsIn(items) });
    for (const [index, { id, note }] of items.entries()) atIndex(index, () => mayUpdate(permit, id, note));
    return permit;
  },

  async again(tx, { items }) {
    const workspaceId = await readWorkspaceOf(tx, items[0]!.id);
    return workspaceId === null ? null : { workspaceId, items: items.map(({ id, version }) => ({ id, version })) };
  },

  async complete(_tx, _permit, { items, warnings }) {
    const since = inBatch(items.map(({ id, changedSinceApproval }) => (changedSinceApproval ? [changedSince(id)] : [])));
    const all = [...warnings, ...since];
    return {
      items: items.map(({ changedSinceApproval, ...item }) => ({ ...item, ...(changedSinceApproval && changed) })),
      ...(all.length > 0 && { warnings: all }),
    };
  },

  prepare: (db, permit, { items }, request) => Promise.all(items.map(({ note }, part) => rewritten(db, permit, note, request, part))),

  decide(permit, { items }, outcomes = []) {
    requireVersions(items, ({ id }) => permit.several[id]!.work.version);
    const decided = items.map((item, index) => atIndex(index, () => decideOne(permit, item)));
    const notes = items.flatMap(({ id, note }, index) => {
      if (note === undefined) return [];
      const outcome = outcomes[index] ?? null;
      requireRewritten(permit, note, outcome);
      return [{ itemId: id, itemType: typeOf(permit, id), body: note, rewritten: outcome }];
    });
    const statement = updateRows(permit, decided, {
      targets: idsIn(items).targets,
      forecastChanges: decided.some(({ id, row }) => changesForecast(row, factsOf(permit, id))),
      beside: notes.length ? notesBeside(permit, notes) : undefined,
      warnings: warningsOfBatch(permit, decided),
      flagged: items.flatMap(({ id }) => (permit.several[id]!.changedSinceApproval ? [id] : [])),
    });
    const change = {
      statement,
      async refused(tx: Parameters<typeof currentVersions>[0]): Promise<never> {
        const current = await currentVersions(
          tx,
          permit,
          items.map(({ id }) => id),
        );
        items.forEach(({ id }, index) => {
          if (!current.has(id)) throw new Forbidden({ index });
        });
        requireVersions(items, ({ id }) => current.get(id)!);
        throw new Forbidden();
      },
    };
    return orTooLate(change, outcomes.some(Boolean));
  },
};

function warningsOfBatch(permit: Facts, decided: readonly Revision[]): Warning[] {
  const { warns } = permit;
  if (!warns) return [];
  const others = new Map(decided.map(({ id, row }) => [id, row]));
  return inBatch(decided.map(({ id, row }) => warningsOf({ stored: permit.several[id]!.work, row }, warns, others)));
}

function mayUpdate(permit: Facts, id: number, note: string | undefined): void {
  const found = permit.several[id];
  if (!found) throw new Forbidden();
  mayWrite(permit, found.work.type);
  if (note !== undefined) mayNote(permit, found.work.type);
}

const typeOf = ({ several }: Facts, id: number): ItemType => several[id]!.work.type;
const factsOf = (permit: Facts, id: number): Facts => ({ ...permit, stored: permit.several[id]!.work });

function decideOne(permit: Facts, { id, version, note: _note, ...change }: Input['items'][number]): Revision {
  const facts = factsOf(permit, id);
  const row = decideItem(typeOf(permit, id), change, facts);
  return { id, version, row, changed: changedFields(facts.stored, row) };
}

/** All that have moved on are told together. Throws VersionConflicts. */
function requireVersions(items: Input['items'], currentOf: (item: Input['items'][number]) => number): void {
  const conflicts = items.flatMap((item, index) => {
    const currentVersion = currentOf(item);
    return currentVersion === item.version ? [] : [{ index, id: item.id, currentVersion }];
  });
  if (conflicts.length) throw new VersionConflicts(conflicts);
}
