/** `audit`: the audit of accounts, line by line (behaviour §17.4). */
import { z } from 'zod';
import { type AuditRow, readAuditSince } from '../accounts/auditQueries.ts';
import { command, option } from './command.ts';
import { id } from './options.ts';

const { schema: accountId } = id('account');
const instant = z.iso.datetime({ offset: true, error: 'give an instant such as 2026-12-31T23:00:00Z' });

export const audit = command({
  summary: 'list the audit of accounts, people, keys and workspaces, oldest first, as one JSON object per line',
  options: {
    account: option(accountId.optional(), 'ID', 'only entries of this account'),
    since: option(instant.optional(), 'ISO', 'from that moment on; from the beginning when left out'),
  },
  async run(context, { account = null, since = null }) {
    const db = await context.db();
    for (let after = 0, rows: readonly AuditRow[] = []; ; after = rows.at(-1)!.id) {
      rows = await readAuditSince(db.pool(), account, since, after);
      if (rows.length === 0) return undefined;
      await context.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  },
});
