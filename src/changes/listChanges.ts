/** GET /changes, behaviour §15.6: changes of a workspace since a cursor, oldest first. */
import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { beginning, type Cursor, cursorOf, isSealed, sealedText, unsealed } from './cursor.ts';
import { readCursorKey, readEnd, readPage, readsChanges, readTexts } from './queries.ts';
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
    nextAfter: z.string().meta({ description: 'Pass it as `after` next time, even if the page is empty. It differs in each answer.' }),
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
      return { changes: [], nextAfter: sealedText(keyFrom(key), place), hasMore: false };
    }
    const isPlain = !isSealed(after);
    const from = isPlain ? (cursorOf(after) ?? beginning) : await unsealedPlace(tx, after);
    const { rights, seen, key, changes, place, has_more, valid } = await readPage(tx, caller, { ...wanted, after: from, isPlain });
    mayRead(rights, seen);
    if (!valid) throw refusedAfter();
    const nextAfter = sealedText(keyFrom(key), place ?? from);
    return new JsonText(`{"changes":[${changes ?? ''}],"nextAfter":"${nextAfter}","hasMore":${has_more}}`);
  },
};

const keyFrom = (key: string) => createSecretKey(key, 'base64');

async function unsealedPlace(tx: Tx, after: string): Promise<Cursor> {
  const place = unsealed(keyFrom(await readCursorKey(tx)), after);
  if (!place) throw refusedAfter();
  return place;
}

const refusedAfter = () => new InvalidRequest(['after'], `${wrongAfter}.`);

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
