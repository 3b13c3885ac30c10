/** Files of items, for people on pages only: keys and agents never reach them (behaviour §35.3). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { bits, holds, resourceOf } from '../access/rights.ts';
import type { Db, Tx } from '../database/db.ts';
import { outputOf } from '../operations/json.ts';
import { limitReached, limits } from '../operations/limits.ts';
import type { Read, Write } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import { type About, enqueue } from '../queue/jobs.ts';
import { Forbidden, InvalidRequest, Unavailable } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type BlobRef, keepBlob, readBlob, writeBlob } from './blobs.ts';
import { fileName } from './fileName.ts';
import { isImage, thumbnailTypeOf, typeOf } from './fileTypes.ts';
import {
  deleteItemFile,
  type FilesPermit,
  insertItemFile,
  insertThumbnail,
  lockItem,
  mayAdd,
  type OpenedFile,
  readFilePermit,
  readFilesPermit,
  readHead,
  readOpenedFile,
  readThumbnail,
  type StoredFilePermit,
  scanTurn,
  setRemoved,
  setRestored,
  type Thumbnail,
} from './itemFileQueries.ts';

export const MOST_FILE_BYTES = 25 * 1024 * 1024;
export const MOST_THUMBNAIL_BYTES = 64 * 1024;

const OfItem = z.strictObject({ workspaceId: Id, id: Id });
type OfItem = z.infer<typeof OfItem>;
const One = z.strictObject({ fileId: Id });
type One = z.infer<typeof One>;

function requirePerson(caller: Caller): void {
  if (caller.kind !== 'session' || caller.over) throw new Forbidden();
}

function requireRoom({ files }: FilesPermit): void {
  if (files >= limits.files.most) throw limitReached('files');
}

async function adding(permit: Promise<FilesPermit>): Promise<FilesPermit> {
  const found = await permit;
  if (!mayAdd(found)) throw new Forbidden();
  return found;
}

/** Called before the bytes are read. */
const checkUpload: Read<OfItem, { accountId: number }> = {
  name: 'checkUpload',
  input: OfItem,
  async run(tx, caller, { workspaceId, id }) {
    requirePerson(caller);
    const permit = await adding(readFilesPermit(tx, caller, workspaceId, id));
    requireRoom(permit);
    return { accountId: permit.accountId };
  },
};

const NewFile = OfItem.extend({
  blobId: Id,
  name: z.string(),
  thumbnail: z.instanceof(Buffer).nullable(),
  /** A worker scans the file before it can be read. */
  scan: z.boolean(),
});

interface AddedFile {
  fileId: number;
  name: string;
  type: string;
}

export const addFile: Write<z.infer<typeof NewFile>, AddedFile, FilesPermit> = {
  name: 'addFile',
  input: NewFile,
  authorize(tx, caller, { workspaceId, id }) {
    requirePerson(caller);
    return adding(readFilesPermit(tx, caller, workspaceId, id));
  },
  async run(tx, permit, { id, blobId, name: given, thumbnail, scan }) {
    await lockItem(tx, id);
    requireRoom(await readFilesPermit(tx, permit.caller, permit.workspaceId, id));
    const blob = { accountId: permit.accountId, id: blobId };
    const stored = await readHead(tx, blob);
    if (!stored || !(await keepBlob(tx, blob))) throw new Unavailable('The upload was interrupted. Send the file again.');
    const [name, type] = [fileName(given), typeOf(stored.head ?? Buffer.alloc(0))];
    const fileId = await insertItemFile(tx, permit, {
      itemId: id,
      blobId,
      name,
      size: stored.size,
      type,
      state: scan ? 'scanning' : 'ready',
    });
    const small = thumbnail && isImage(type) ? asThumbnail(thumbnail) : null;
    if (small) await insertThumbnail(tx, blob, small);
    if (scan) await enqueueScan(tx, fileId, { account: permit.accountId, workspace: permit.workspaceId, item: id });
    return { fileId, name, type };
  },
};

/** People take turns: the second file of a person waits for the first one of each other person. */
const enqueueScan = async (tx: Tx, fileId: number, about: About): Promise<void> =>
  enqueue(tx, 'scan_file', { fileId }, { about, priority: await scanTurn(tx, fileId) });

/** Accepts only small images: the bytes come from a browser and may be anything. */
function asThumbnail(bytes: Buffer): Thumbnail | null {
  const type = bytes.length <= MOST_THUMBNAIL_BYTES ? thumbnailTypeOf(bytes) : null;
  return type === null ? null : { type, bytes };
}

export interface Upload extends OfItem {
  name: string;
  thumbnail: Buffer | null;
  bytes: AsyncIterable<Uint8Array>;
}

/** Streams a file into an item. Rights are checked before and after. Throws Forbidden and InvalidRequest. */
export async function uploadFile(
  db: Db,
  caller: Caller,
  { bytes, ...file }: Upload,
  { quotaBytes, scan }: { quotaBytes: number; scan: boolean },
): Promise<AddedFile> {
  const { workspaceId, id } = file;
  const { accountId } = outputOf(await perform(db, caller, checkUpload, { workspaceId, id }));
  const blob = await writeBlob(db, bytes, { accountId, mostBytes: MOST_FILE_BYTES, quotaBytes });
  // If this fails, the prune job deletes the blob.
  if (blob.size === 0) throw new InvalidRequest(['file'], 'choose a file that is not empty.');
  return outputOf(await perform(db, caller, addFile, { ...file, blobId: blob.id, scan }));
}

/** For downloads. `blob` is the input of `readBlob`. */
export const openFile: Read<One, OpenedFile & { blob: BlobRef & { size: number } }> = {
  name: 'openFile',
  input: One,
  async run(tx, caller, { fileId }) {
    requirePerson(caller);
    const file = await readOpenedFile(tx, caller, fileId);
    return { ...file, blob: { accountId: file.accountId, id: file.blobId, size: file.size } };
  },
};

/** The bytes `start` to `end` of a file. Rights are checked again before each chunk. */
export function bytesOf(
  db: Db,
  caller: Caller,
  fileId: number,
  file: { blob: BlobRef & { size: number } },
  range?: { start: number; end: number },
) {
  const check = () => perform(db, caller, openFile, { fileId });
  return readBlob(db.pool(), file.blob, { ...range, check });
}

export const getThumbnail: Read<One, Thumbnail & { tag: string }> = {
  name: 'getThumbnail',
  input: One,
  async run(tx, caller, { fileId }) {
    requirePerson(caller);
    const file = await readOpenedFile(tx, caller, fileId);
    const thumbnail = await readThumbnail(tx, file.blobId);
    if (!thumbnail) throw new Forbidden();
    return { ...thumbnail, tag: file.tag };
  },
};

const mayChange = ({ own, rights, itemType }: StoredFilePermit): boolean => own || holds(rights, bits(resourceOf(itemType), 'write'));

async function changing(tx: Tx, caller: Caller, { fileId }: One): Promise<StoredFilePermit> {
  requirePerson(caller);
  const permit = await readFilePermit(tx, caller, fileId);
  if (!mayChange(permit) || !mayAdd(permit)) throw new Forbidden();
  return permit;
}

interface OnItem {
  workspaceId: number;
  itemId: number;
}

/** A refused file leaves no trace; of others the history keeps a line. */
export const removeFile: Write<One, OnItem, StoredFilePermit> = {
  name: 'removeFile',
  input: One,
  authorize: changing,
  async run(tx, permit) {
    const { workspaceId, itemId } = permit;
    if (permit.state === 'refused') await deleteItemFile(tx, permit);
    else await setRemoved(tx, permit);
    return { workspaceId, itemId };
  },
};

/** Undoes removeFile within an hour. */
export const restoreFile: Write<One, OnItem, StoredFilePermit> = {
  name: 'restoreFile',
  input: One,
  authorize: changing,
  async run(tx, permit) {
    const { workspaceId, itemId, accountId, blobId } = permit;
    if (!permit.removed) return { workspaceId, itemId };
    await lockItem(tx, itemId);
    requireRoom(await readFilesPermit(tx, permit.caller, workspaceId, itemId));
    if (blobId === null || !(await keepBlob(tx, { accountId, id: blobId })))
      throw new InvalidRequest([], 'This file was removed more than an hour ago and is deleted. Add it again.');
    await setRestored(tx, permit);
    return { workspaceId, itemId };
  },
};

/** A file just removed, for the toast. */
export async function readRemoval(tx: Tx, caller: Caller, fileId: number): Promise<{ name: string; mayUndo: boolean }> {
  const { name, removed } = await changing(tx, caller, { fileId });
  return { name, mayUndo: removed };
}
