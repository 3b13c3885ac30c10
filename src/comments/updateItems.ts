/** svc_update_items: changes and notes of up to 100 items, all or none, in one statement (behaviour §7.38). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { ItemType } from '../access/rights.ts';
import { idsIn } from '../items/decide.ts';
import { readFacts, readWorkspaceOf } from '../items/queries.ts';
import { reviseItems } from '../items/reviseItems.ts';
import { mayWrite } from '../items/saveItem.ts';
import type { Work } from '../items/schema.ts';
import { canWarn, type Warning } from '../items/warnings.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { atIndex, Forbidden } from '../values/errors.ts';
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
  items: UpdatedItem[];
  warnings?: Warning[];
}

export const updateItems: StatementWrite<Input, UpdateFacts, Updated, (Rewritten | null)[], Required<Updated>> = {
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
    const permit = await readFacts(tx, caller, { workspaceId, ids: items.map(({ id }) => id), ...idsIn(items), warns: canWarn(items) });
    for (const [index, { id, note }] of items.entries()) atIndex(index, () => mayUpdate(permit, id, note));
    return permit;
  },

  async again(tx, { items }) {
    const workspaceId = await readWorkspaceOf(tx, items[0]!.id);
    return workspaceId === null ? null : { workspaceId, items: items.map(({ id, version }) => ({ id, version })) };
  },

  async complete(_tx, _permit, { items, warnings }) {
    return {
      // Omits more fields in receipts of older versions (behaviour §3.29).
      items: items.map(({ id, type, title, status, version }) => ({ id, type, title, status, version })),
      ...(warnings.length > 0 && { warnings }),
    };
  },

  prepare: (db, permit, { items }, request) => Promise.all(items.map(({ note }, part) => rewritten(db, permit, note, request, part))),

  decide(permit, { items }, outcomes = []) {
    const notes = items.flatMap(({ id, note }, index) => {
      if (note === undefined) return [];
      const outcome = outcomes[index] ?? null;
      requireRewritten(permit, note, outcome);
      return [{ itemId: id, itemType: typeOf(permit, id), body: note, rewritten: outcome }];
    });
    const wanted = items.map(({ id, version, note: _note, ...change }) => ({ id, version, change }));
    return orTooLate(reviseItems(permit, wanted, notes.length ? notesBeside(permit, notes) : undefined), outcomes.some(Boolean));
  },
};

function mayUpdate(permit: Facts, id: number, note: string | undefined): void {
  const found = permit.several[id];
  if (!found) throw new Forbidden();
  mayWrite(permit, found.type);
  if (note !== undefined) mayNote(permit, found.type);
}

const typeOf = ({ several }: Facts, id: number): ItemType => several[id]!.type;
