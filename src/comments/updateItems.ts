/** svc_update_items: changes and notes of up to 100 items, all or none (behaviour §7.38). */
import { z } from 'zod';
import { changeItems } from '../items/changeItems.ts';
import { idsIn } from '../items/decide.ts';
import { readFacts, readWorkspaceOf, type WriteFacts } from '../items/queries.ts';
import type { Work } from '../items/schema.ts';
import { canWarn, type Warning } from '../items/warnings.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { atIndex } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { insertProgressNotes } from './besideQueries.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';
import { ItemUpdateWithNote, mayUpdate, requireRewritten, rewritten } from './updateItem.ts';

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
type UpdatedItem = Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'>;
interface Updated {
  items: UpdatedItem[];
  warnings?: Warning[];
}

export const updateItems: TransactionWrite<Input, WriteFacts, Updated, (Rewritten | null)[], Required<Updated>> = {
  name: 'updateItems',
  input: Input,
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

  prepares: ({ items }) => items.some(({ note }) => note !== undefined),
  prepare: (permit, { items }, how) => Promise.all(items.map(({ note }, part) => rewritten(permit, note, how, part))),

  async run(tx, permit, { items }, outcomes = []) {
    const notes = items.flatMap(({ id, note }, index) => {
      if (note === undefined) return [];
      const outcome = outcomes[index] ?? null;
      requireRewritten(permit, note, outcome);
      return [{ itemId: id, itemType: permit.items[id]!.type, body: note, rewritten: outcome }];
    });
    const wanted = items.map(({ id, version, note: _note, ...change }) => ({ id, version, change }));
    const { items: saved, warnings } = await changeItems(tx, permit, wanted);
    if (notes.length) await insertProgressNotes(tx, permit, notes);
    return { items: saved.map(({ id, version, row: { type, title, status } }) => ({ id, type, title, status, version })), warnings };
  },
};
