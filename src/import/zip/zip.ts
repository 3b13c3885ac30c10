/** An account's data as a zip: for each workspace an import file, CSV files and the files of its items. One entry is in memory at a time. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { readBlob } from '../../files/blobs.ts';
import { csvLine } from '../../values/csv.ts';
import { exportAccount, ofItems, paged, rowsOf } from '../exportAccount.ts';
import { beginExport } from '../exportQueries.ts';
import {
  itemHeads,
  peopleHeads,
  readFiles,
  readItemCells,
  readPeopleCells,
  readViewCells,
  readWatchCells,
  readWebhookCells,
  tables,
  viewHeads,
  watchHeads,
  webhookHeads,
} from './csvQueries.ts';
import type { Scope } from './queries.ts';

type Texts = AsyncIterable<string | Buffer>;

const Cells = z.array(z.union([z.string(), z.number()]).nullable());

async function* csv(heads: readonly string[], entries: AsyncIterable<string>): Texts {
  yield csvLine(heads);
  for await (const entry of entries) yield csvLine(Cells.parse(JSON.parse(entry)));
}

export interface Contents {
  accountId: number;
  userId: number;
  workspaces: readonly Scope[];
}

/** Ids of the workspaces whose time of others an export contains. */
export const overseenIn = (workspaces: Contents['workspaces']): number[] => workspaces.flatMap(({ id, oversees }) => (oversees ? id : []));

/** Names and contents of the entries. `tx`: its own transaction, so that all entries show the same moment. */
async function* entries(
  tx: Tx,
  { accountId, userId, workspaces }: Contents,
): AsyncGenerator<[name: string, content: Texts, stored?: true]> {
  await beginExport(tx);
  const people = paged((after) => readPeopleCells(tx, accountId, after));
  yield ['people.csv', csv(peopleHeads, people)];
  const reader = { userId, overseen: overseenIn(workspaces) };
  for (const { id, name } of workspaces) {
    const folder = `${id} ${fileNameOf(name)}`;
    const table = (file: string, heads: readonly string[], read: Parameters<typeof paged>[0]): [string, Texts] => [
      `${folder}/${file}.csv`,
      csv(heads, paged(read)),
    ];
    yield [`${folder}/workspace.json`, exportAccount(tx, { accountId, workspaceId: id, reader })];
    yield table('items', itemHeads, (after) => readItemCells(tx, id, after));
    for (const { name: file, heads, read } of tables) {
      const rows = ofItems((after) => read(tx, id, after, reader));
      yield [`${folder}/${file}.csv`, csv(heads, rows)];
    }
    yield table('watches', watchHeads, (after) => readWatchCells(tx, id, after, reader));
    yield table('views', viewHeads, (after) => readViewCells(tx, id, after, reader));
    yield table('webhooks', webhookHeads, (after) => readWebhookCells(tx, id, after));
    for await (const file of rowsOf((after) => readFiles(tx, id, after))) {
      const bytes = readBlob(tx, { accountId, id: file.blobId, size: file.size });
      yield [`${folder}/files/${file.itemId}/${file.id} ${fileNameOf(file.name)}`, bytes, true];
    }
  }
}

/** The name as a file name, without characters that Windows and zip tools refuse. */
export const fileNameOf = (name: string): string => {
  const words = name.toWellFormed().split(/[\p{C}\p{Z}<>:"/\\|?*]/u);
  // A name of dots alone would be a folder.
  return (
    words
      .filter((word) => /[^.]/.test(word))
      .join(' ')
      .slice(0, 100) || 'unnamed'
  );
};

/** The zip's bytes. They fail if an entry fails or `signal` is aborted. */
export async function* zipOf(tx: Tx, contents: Contents, signal: AbortSignal): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  const add = async () => {
    for await (const [name, content, stored = false] of entries(tx, contents)) {
      const source = Readable.from(content, { objectMode: false });
      zip.addReadStream(source, name, { compress: !stored });
      // The next entry is read after this one, because both use one transaction.
      await finished(source);
    }
    zip.end();
  };
  zip.on('error', fail);
  add().catch(fail);
  for await (const bytes of output) {
    signal.throwIfAborted();
    yield bytes;
  }
}
