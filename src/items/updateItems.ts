/** svc_update_items: changes and notes of up to 100 items, all or none (behaviour §7.38). */
import { z } from 'zod';
import { newNote, rewriteAll } from '../comments/newNote.ts';
import { insertProgressNotes } from '../comments/progressNoteQueries.ts';
import type { Rewritten } from '../comments/rewrite/awaitRewrite.ts';
import type { Write } from '../operations/operation.ts';
import { atIndex } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { changedNames } from './changedFields.ts';
import { changeItems, storedItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { readFacts, readWorkspaceOf, type WriteFacts } from './queries.ts';
import type { Work } from './schema.ts';
import { ItemUpdate, mayUpdate } from './updateItem.ts';
import { canWarn, type Warning } from './warnings.ts';

const Input = z
  .strictObject({
    workspaceId: Id,
    items: z.array(ItemUpdate, { error: 'give a list of 1 to 100 items' }).min(1, 'give 1 to 100 items').max(100, 'give at most 100 items'),
  })
  .check(({ value: { items }, issues }) => {
    const seen = new Set<number>();
    items.forEach(({ id }, index) => {
      if (seen.has(id)) issues.push({ code: 'custom', path: ['items', index, 'id'], message: 'give each item once', input: id });
      seen.add(id);
    });
  });
type Input = z.infer<typeof Input>;
interface Updated {
  items: (Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'> & { changed?: string[] })[];
  warnings?: Warning[];
}

export const updateItems: Write<Input, Updated, WriteFacts> = {
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

  prepares: ({ items }) => items.some(({ note }) => note !== undefined),
  prepare: (permit, { items }, how) =>
    rewriteAll(
      permit,
      items.map(({ note }) => note),
      how,
    ),

  async run(tx, permit, { items }, rewrites: (Rewritten | null)[] = []) {
    const notes = items.flatMap(({ id: itemId, note: body }, index) =>
      body === undefined
        ? []
        : [newNote(permit, { itemId, itemType: storedItem(permit, itemId).type, body, rewritten: rewrites[index] ?? null })],
    );
    const wanted = items.map(({ id, version, note: _note, labels, blockedBy, ...change }) => ({
      id,
      version,
      change,
      relations: { labels, blockedBy },
    }));
    const saved = await changeItems(tx, permit, wanted);
    if (notes.length) await insertProgressNotes(tx, permit, notes);
    return updated(
      saved.items.map(({ id, version, row, changed }) => ({ ...row, id, version, changed: changedNames({ row, changed }) })),
      saved.warnings,
    );
  },

  async inputOf(tx, { items }: Updated) {
    const workspaceId = await readWorkspaceOf(tx, elementAt(items, 0).id);
    return workspaceId === null ? null : { workspaceId, items: items.map(({ id, version }) => ({ id, version })) };
  },

  // Processes of version 1.1, during an upgrade, expect a list of warnings in each receipt.
  receipt: ({ items, warnings = [] }) => ({ items, warnings }),
  // Receipts of older versions contain more fields (behaviour §3.29).
  replay: async (_tx, _permit, { items, warnings }: Updated) => updated(items, warnings),
};

const updated = (items: Updated['items'], warnings: Warning[] = []): Updated => ({
  items: items.map(({ id, type, title, status, version, changed }) => ({ id, type, title, status, version, ...(changed && { changed }) })),
  ...(warnings.length && { warnings }),
});
