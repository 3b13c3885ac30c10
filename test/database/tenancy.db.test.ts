/** Each row names its account, and each of its keys determines it (behaviour §14.4, docs/decisions/0037), as sharding by account would
 *  need. Read from the catalog, so that new tables and keys are included. */
import pg from 'pg';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();

async function rows<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const withoutAccount: Record<string, string> = {
  accounts: 'is the account',
  holidays: 'public knowledge, by region',
  change_followers: "how far a follower has come among all accounts' changes",
  cursor_key: "the operators' own",
  migrations: "the operators' own",
  outbound_hold: "the operators' own",
  owner_links: 'a link for a first owner may be older than the account',
  process_metrics: 'of a process',
  rate_windows: 'counts by credential or address, also of strangers',
  schedule_ticks: "the operators' own",
  workers: "the operators' own",
};

test('every table names the account of a row, except the listed ones', async (t) => {
  const found = await rows<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull)`);
  t.deepEqual(found.map(({ name }) => name).sort(), Object.keys(withoutAccount).sort());
});

interface Key {
  key: string;
  own: string[];
  other: string[];
}

const columnsOf = (relation: string, numbers: string) =>
  `array(select a.attname::text from unnest(${numbers}) k (n) join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.n)`;

const foreignKeys = () =>
  rows<Key>(`
    select c.conname as key, ${columnsOf('c.conrelid', 'c.conkey')} as own, ${columnsOf('c.confrelid', 'c.confkey')} as other
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`);

/** The statement or transaction that writes the reference finds the row by its id. An index with the account before the id would cost every
 *  insert and add nothing. */
const byId = new Set([
  'capacity_overloads_snapshot_id_fkey',
  'capacity_pages_snapshot_id_fkey',
  'capacity_pieces_snapshot_id_fkey',
  'capacity_projects_snapshot_id_fkey',
  'capacity_snapshots_forecast_id_fkey',
  'change_texts_change_id_fkey',
  // The workspace that an item left keeps the change of its move.
  'changes_item_id_fkey',
  'comment_mentions_comment_id_fkey',
  'comment_reactions_comment_id_fkey',
  'invitations_created_by_fkey',
  'notifications_absence_fkey',
  'notifications_approval_id_fkey',
  'notifications_block_id_fkey',
  'notifications_change_id_fkey',
  'notifications_entry_id_fkey',
  'notifications_invitation_id_fkey',
  'notifications_webhook_id_fkey',
  'plan_blocks_entry_id_fkey',
  'recent_items_user_id_fkey',
  'recurrence_items_recurrence_id_fkey',
  'refused_forms_session_id_fkey',
  'rest_receipts_key_id_fkey',
  'rest_receipts_session_id_fkey',
  'sent_forms_session_id_fkey',
  'stars_item_id_fkey',
  'stars_view_id_fkey',
  'time_entry_versions_entry_id_fkey',
  'time_parts_entry_id_fkey',
  'webhook_deliveries_change_id_fkey',
  'webhook_deliveries_webhook_id_fkey',
]);

test('a foreign key includes the account or a workspace of one account, except the listed ones', async (t) => {
  const leads = ({ own, other }: Key) =>
    ['account_id', 'workspace_id'].some((name) => own.includes(name) && (other.includes(name) || other.includes('id')));
  const others = (await foreignKeys()).filter((key) => !leads(key)).map(({ key }) => key);
  t.deepEqual(others.sort(), [...byId].sort());
});

/** Looked up before the account is known, or without an account. */
const acrossAccounts: Record<string, string> = {
  calendar_feeds_token_hash_key: 'a secret that is presented',
  capacity_forecasts_scope_key_week_key: 'a hash of ids of workspaces',
  connections_key_hash_key: 'a secret that is presented',
  refused_forms_pkey: 'a secret that is presented',
  rest_keys_key_hash_key: 'a secret that is presented',
  sessions_token_hash_key: 'a secret that is presented',
  workspaces_uuid_key: 'given to other services as a name',
};

test('a unique key includes the account, a row that has one, or only the id, except the listed ones', async (t) => {
  const references = (name: string) => /(?:^account|^workspace|_id$)/.test(name);
  const found = await rows<{ key: string; own: string[] }>(`
    select i.relname as key, ${columnsOf('x.indrelid', 'x.indkey::int2[]')} as own
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where x.indisunique and c.relnamespace = 'public'::regnamespace
      and c.relname <> all('{${Object.keys(withoutAccount).join(',')}}')`);
  const others = found.filter(({ own }) => !(own.some(references) || (own.length === 1 && own[0] === 'id'))).map(({ key }) => key);
  t.deepEqual(others.sort(), Object.keys(acrossAccounts).sort());
});
