/** GET /changes, behaviour §15.6: changes of a workspace since a cursor, oldest first. */
import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { beginning, type Cursor, cursorOf, cursorText, isSealed, sealedText, unsealed } from './cursor.ts';
import { readCursorKey, readEnd, readHasMore, readPage, readsChanges, readTexts } from './queries.ts';
import { Change, type ChangedText, type ItemChange } from './schema.ts';

const LATEST = 'latest';
const wrongAfter = 'give 0, latest, or the nextAfter of an earlier answer';
const limits = 'give a whole number from 1 to 200';

const ListChangesInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  after: z
    .string()
    .refine((text) => text === LATEST || isSealed(text) || cursorOf(text) !== null, wrongAfter)
    .default('0')
    .meta({ description: '`nextAfter` of the previous page. `0` starts with the oldest row, `latest` after the newest.' }),
  limit: z.int(limits).min(1, limits).max(200, limits).default(50).meta({ description: 'The maximum number of rows on the page.' }),
  itemId: Id.optional().meta({ description: 'Rows of this item alone, from GET /items.' }),
});
type ListChangesInput = z.infer<typeof ListChangesInput>;

export const ChangePage = z
  .strictObject({
    changes: z.array(Change),
    nextAfter: z.string().meta({ description: 'For the next page; the `after` of the request if the page is empty.' }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'ChangePage' });

export const listChanges: Read<ListChangesInput, z.infer<typeof ChangePage>> = {
  name: 'listChanges',
  input: ListChangesInput,
  async run(tx, caller, { after, ...wanted }) {
    if (after === LATEST) {
      const { rights, seen, key, ...place } = await readEnd(tx, caller, wanted);
      mayRead(rights, seen);
      // Sealed, because the newest row may be hidden from the caller.
      return { changes: [], nextAfter: sealedText(keyFrom(key), place), hasMore: false };
    }
    const place = isSealed(after) ? await unsealedPlace(tx, after) : (cursorOf(after) ?? beginning);
    // Most polls find nothing, and this query is cheaper than a page.
    if (wanted.itemId === undefined && place !== beginning) {
      const standing = await readHasMore(tx, caller, { ...wanted, after: place });
      mayRead(standing.rights, true);
      if (!standing.more) return new JsonText(`{"changes":[],"nextAfter":"${after}","hasMore":false}`);
    }
    const { rights, seen, changes, last, has_more } = await readPage(tx, caller, { ...wanted, after: place });
    mayRead(rights, seen);
    const nextAfter = last ? cursorText(last) : after;
    return new JsonText(`{"changes":[${changes ?? ''}],"nextAfter":"${nextAfter}","hasMore":${has_more}}`);
  },
};

const keyFrom = (key: string) => createSecretKey(key, 'base64');

async function unsealedPlace(tx: Tx, after: string): Promise<Cursor> {
  const place = unsealed(keyFrom(await readCursorKey(tx)), after);
  if (!place) throw new InvalidRequest(['after'], `${wrongAfter}.`);
  return place;
}

function mayRead(rights: number, seen: boolean) {
  if (!readsChanges(rights) || !seen) throw new Forbidden();
}

/** The long texts of one change, before and after it (behaviour §15.12). */
const GetTextsInput = z.strictObject({ workspaceId: Id, id: Id, changeId: Id });

export interface ChangedTexts {
  change: ItemChange;
  texts: ChangedText[];
}

/** Throws Forbidden if the item is not visible or the change is not one of its changes. */
export const getTexts: Read<z.infer<typeof GetTextsInput>, ChangedTexts> = {
  name: 'getTexts',
  input: GetTextsInput,
  async run(tx, caller, { workspaceId, id, changeId }) {
    const { change, texts } = await readTexts(tx, caller, workspaceId, id, changeId);
    if (!change || !texts?.length) throw new Forbidden();
    return { change, texts };
  },
};
