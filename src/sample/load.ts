/** Puts the sample account into a new database. */
import { hasAccounts } from '../accounts/queries.ts';
import { connectDb } from '../database/db.ts';
import { importData } from '../import/importData.ts';
import { sampleEmail, sampleFile, samplePassword } from './data.ts';

/** What a visitor needs to try the sample account; kept by `npm start` in `.data/sample.json`. */
export interface SampleAccess {
  email: string;
  password: string;
  restKey: string;
  agentKey: string;
  workspaceId: number;
}

/** Imports the sample account. Resolves to undefined, and changes nothing, when the database has an account already. */
export async function loadSample(databaseUrl: string): Promise<SampleAccess | undefined> {
  const db = await connectDb(databaseUrl, 1);
  try {
    if (await hasAccounts(db.pool())) return undefined;
    const refs = await importData(db, sampleFile(new Date().toISOString().slice(0, 10)));
    return {
      email: sampleEmail,
      password: samplePassword,
      restKey: refs['key-ana']!.key!,
      agentKey: refs['agent-ana']!.key!,
      workspaceId: refs.ferry!.id,
    };
  } finally {
    await db.close();
  }
}
