import { randomBytes } from 'node:crypto';
import { hasAccounts } from '../accounts/queries.ts';
import { connectDb } from '../database/db.ts';
import { importData } from '../import/importData.ts';
import { changeStar } from '../items/stars.ts';
import { perform } from '../operations/perform.ts';
import { sampleEmail, sampleFile } from './data.ts';

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
  return letters.match(/.{5}/g)!.join('-');
}

/** Imports the sample account. Returns undefined and changes nothing if the database already has an account. */
export async function loadSample(databaseUrl: string, password = newPassword()): Promise<SampleAccess | undefined> {
  const db = await connectDb(databaseUrl, 1, { unlimited: true });
  try {
    if (await hasAccounts(db.pool())) return undefined;
    const refs = await importData(db, sampleFile(new Date().toISOString().slice(0, 10), password));
    const favorite = { workspaceId: refs.ferry!.id, kind: 'item', id: refs['f-10']!.id, on: true } as const;
    await perform(db, { kind: 'user', userId: refs.ana!.id }, changeStar, favorite);
    return {
      email: sampleEmail,
      password,
      restKey: refs['key-ana']!.key!,
      agentKey: refs['agent-ana']!.key!,
      workspaceId: refs.ferry!.id,
    };
  } finally {
    await db.close();
  }
}
