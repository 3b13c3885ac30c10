/** Exports that account owners ask for on /settings/account: a worker makes the zip, and a mail says when it is ready (behaviour §41). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../../access/accountAccessQueries.ts';
import type { Caller } from '../../access/caller.ts';
import { sendLinkMail } from '../../accounts/linkMails.ts';
import type { Db, Tx } from '../../database/db.ts';
import { type BlobRef, keepBlob, readBlob, writeBlob } from '../../files/blobs.ts';
import { letterHtml, letterText } from '../../mailer/letter.ts';
import type { Mail } from '../../mailer.ts';
import type { Read, Write } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { enqueue } from '../../queue/jobs.ts';
import { Conflict, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import {
  type DataExport,
  deleteEarlier,
  deleteOwn,
  findExport,
  findMailed,
  findReady,
  insertExport,
  KEPT_DAYS,
  listOwn,
  type ReadyExport,
  readScope,
  type Scope,
  setFailed,
  setReady,
} from './queries.ts';
import { overseenIn, zipOf } from './zip.ts';

export { type DataExport, KEPT_DAYS } from './queries.ts';

const Nothing = z.strictObject({});
const One = z.strictObject({ id: Id });

const byOwner = (tx: Tx, caller: Caller): Promise<AccountPermit> => inAccount(tx, caller, ['owner']);

export interface Exports {
  /** The workspaces that a new export contains. */
  workspaces: readonly Scope[];
  made: readonly DataExport[];
}

export const listExports: Read<z.infer<typeof Nothing>, Exports> = {
  name: 'listExports',
  input: Nothing,
  async run(tx, caller) {
    const permit = await byOwner(tx, caller);
    return { workspaces: await readScope(tx, caller), made: await listOwn(tx, permit) };
  },
};

export const startExport: Write<z.infer<typeof Nothing>, { id: number; workspaceIds: number[] }, AccountPermit> = {
  name: 'startExport',
  input: Nothing,
  authorize: byOwner,
  audit: [
    {
      kind: 'workspace.exported',
      made: (_permit, _input, { workspaceIds }) => workspaceIds.map((id) => ({ type: 'workspace', id })),
      event: true,
    },
  ],
  async run(tx, permit) {
    const workspaceIds = (await readScope(tx, permit.caller)).map((one) => one.id);
    const id = await insertExport(tx, permit, workspaceIds);
    if (id === null) throw new Conflict('An export is already in progress. Wait until it is ready.');
    await enqueue(tx, 'make_export', { exportId: id }, { about: { account: permit.accountId, user: permit.userId } });
    return { id, workspaceIds };
  },
};

export const deleteExport: Write<z.infer<typeof One>, { id: number }, AccountPermit> = {
  name: 'deleteExport',
  input: One,
  authorize: byOwner,
  async run(tx, permit, { id }) {
    await deleteOwn(tx, permit, id);
    return { id };
  },
};

type OpenExport = ReadyExport & { blob: BlobRef & { size: number } };

/** For downloads. Throws Forbidden unless the person still sees all that it contains. */
export const openExport: Read<z.infer<typeof One>, OpenExport> = {
  name: 'openExport',
  input: One,
  async run(tx, caller, { id }) {
    const permit = await byOwner(tx, caller);
    const found = await findReady(tx, permit, id);
    if (!found) throw new Forbidden();
    const oversees = new Map((await readScope(tx, caller)).map((one) => [one.id, one.oversees]));
    if (!found.workspaceIds.every((one) => oversees.has(one))) throw new Forbidden();
    if (!found.overseenIds.every((one) => oversees.get(one))) throw new Forbidden();
    return { ...found, blob: { accountId: permit.accountId, id: found.blobId, size: found.size } };
  },
};

/** The bytes `start` to `end` of an export. Rights are checked again before each chunk. */
export function exportBytes(db: Db, caller: Caller, id: number, { blob }: OpenExport, range: { start: number; end: number }) {
  const check = () => perform(db, caller, openExport, { id });
  return readBlob(db.pool(), blob, { ...range, check });
}

/** The export's job was set aside. */
export const giveUpExport = (db: Db, id: number): Promise<void> => setFailed(db.pool(), id, 'stopped');

/** Replaces the person's earlier exports. Does nothing for one that is ready, deleted, or whose person may no longer have it. A crash leaves
 *  bytes that `prune` deletes. `filesQuotaBytes`: of the account; its exports may take as much again. */
export async function makeExport(db: Db, id: number, filesQuotaBytes: number, signal: AbortSignal): Promise<void> {
  const found = await findExport(db.pool(), id);
  if (found?.state !== 'making') return;
  const { accountId, userId, workspaceIds } = found;
  const caller: Caller = { kind: 'user', userId };
  const isOwner = await byOwner(db.pool(), caller).then(
    () => true,
    () => false,
  );
  const seen = isOwner ? await readScope(db.pool(), caller) : [];
  const workspaces = seen.filter((one) => workspaceIds.includes(one.id));
  if (workspaces.length < workspaceIds.length) return setFailed(db.pool(), id, 'access');
  await deleteEarlier(db.pool(), { accountId, userId, id });
  const blob = await db
    .transaction((tx) => {
      const limits = { accountId, mostBytes: 2 * filesQuotaBytes, quotaBytes: 2 * filesQuotaBytes };
      return writeBlob(db, zipOf(tx, { accountId, userId, workspaces }, signal), limits);
    })
    .catch((error) => {
      if (error instanceof InvalidRequest) return null;
      throw error;
    });
  if (!blob) return setFailed(db.pool(), id, 'room');
  await db.transaction(async (tx) => {
    if (!(await setReady(tx, id, blob, overseenIn(workspaces)))) return;
    await keepBlob(tx, blob);
    await enqueue(tx, 'mail_export', { exportId: id }, { about: { account: accountId, user: userId } });
  });
}

interface ExportMail {
  mail: { smtpUrl: string | undefined; from: string };
  baseUrl: string;
}

export async function mailExport(db: Db, { mail: { smtpUrl, from }, baseUrl }: ExportMail, id: number): Promise<void> {
  const found = smtpUrl ? await findMailed(db.pool(), id) : null;
  if (!smtpUrl || !found) return;
  await sendLinkMail(db, { smtpUrl, from }, 'data_exports', id, exportMail(found, `${baseUrl}/settings/account#export`));
}

function exportMail({ email, account }: { email: string; account: string }, href: string): Mail {
  const subject = `Your export of ${account} is ready`;
  const line = `Download it within ${KEPT_DAYS} days. Then it is deleted.`;
  const letter = { preheader: line, heading: subject, lines: [line], button: { label: 'Open exports', href } };
  return { to: email, subject, text: letterText(letter), html: letterHtml(letter) };
}
