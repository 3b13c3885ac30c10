/** `doctor` behind a pooler: compares the settings of its sessions with ours, because a pooler drops startup parameters. */
import type { Config } from '../config.ts';
import { connectDb, type Db } from '../database/db.ts';
import { messageOf } from '../values/errors.ts';
import { readSettings } from './doctorQueries.ts';

const timeouts = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];

export async function poolerFaults({ databaseUrl, directUrl, preparedStatements }: Config): Promise<string[]> {
  let db: Db;
  try {
    db = await connectDb(databaseUrl, 1, { directUrl, preparedStatements });
  } catch (error) {
    return [`DATABASE_URL can't be reached: ${messageOf(error)}`];
  }
  try {
    const settings = await readSettings(db.pool(), ['TimeZone', ...timeouts]);
    const zone =
      settings.get('TimeZone') === 'UTC'
        ? []
        : ['its sessions are not in UTC, so days start at the wrong hour; use alter database … set timezone'];
    const endless = timeouts.filter((name) => settings.get(name) === '0');
    return [...zone, ...endless.map((name) => `its sessions have no ${name}`)];
  } finally {
    await db.close();
  }
}
