import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Caller } from '../access/caller.ts';
import { newSecret } from '../access/secrets.ts';
import { hasAccounts } from '../accounts/queries.ts';
import { deleteSession, insertSession } from '../accounts/sessionQueries.ts';
import { addComment } from '../comments/addComment.ts';
import { connectDb, type Db } from '../database/db.ts';
import { MOST_FILE_BYTES, uploadFile } from '../files/itemFiles.ts';
import { importData } from '../import/importData.ts';
import { changeStar } from '../items/stars.ts';
import { perform } from '../operations/perform.ts';
import { valueAt } from '../values/records.ts';
import { sampleEmail, sampleFile } from './data.ts';
import { deckPlan } from './deckPlan.ts';

/** The sample account's credentials; `npm start` keeps them in `.data/sample.json`. */
export interface SampleAccess {
  email: string;
  password: string;
  restKey: string;
  agentKey: string;
  workspaceId: number;
}

/** Four groups of five letters and digits that are easy to tell apart, to type from a terminal: 100 bits. */
export function newPassword(): string {
  const letters = Array.from(randomBytes(20), (byte) => 'abcdefghijkmnopqrstuvwxyz2345678'[byte % 32]).join('');
  return letters.replace(/.{5}(?=.)/g, '$&-');
}

/** Imports the sample account. Returns undefined and changes nothing if the database already has an account. */
export async function loadSample(databaseUrl: string, password = newPassword()): Promise<SampleAccess | undefined> {
  const db = await connectDb(databaseUrl, 1, { unlimited: true });
  try {
    if (await hasAccounts(db.pool())) return undefined;
    const refs = new Map(Object.entries(await importData(db, sampleFile(new Date().toISOString().slice(0, 10), password))));
    const idOf = (ref: string) => valueAt(refs, ref).id;
    const keyOf = (ref: string) => valueAt(refs, ref).key ?? '';
    const workspaceId = idOf('ferry');
    const favorite = { workspaceId, kind: 'item', id: idOf('f-10'), on: true } as const;
    await perform(db, { kind: 'user', userId: idOf('ana') }, changeStar, favorite);
    await addPicture(db, idOf('dmitri'), { workspaceId, id: idOf('f-12') });
    return { email: sampleEmail, password, restKey: keyOf('key-ana'), agentKey: keyOf('agent-ana'), workspaceId };
  } finally {
    await db.close();
  }
}

/** A file and a comment that shows it, in a session of the person: only sessions reach files. */
async function addPicture(db: Db, userId: number, item: { workspaceId: number; id: number }): Promise<void> {
  const { hash } = newSecret('session');
  const caller: Caller = { kind: 'session', hash };
  await insertSession(db.pool(), userId, hash, { replaces: [], device: 'Sample', address: '::1' });
  try {
    const png = deckPlan();
    const bytes = Readable.from([png]);
    const upload = { ...item, name: 'deck-plan.png', thumbnail: png, bytes };
    const { fileId } = await uploadFile(db, caller, upload, { quotaBytes: MOST_FILE_BYTES, scan: false });
    const body = `The car deck of the Aurora: taken places are green.\n\n![Image](/files/${fileId})`;
    await perform(db, caller, addComment, { ...item, body });
  } finally {
    await deleteSession(db.pool(), hash);
  }
}
