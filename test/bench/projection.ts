/** `npm run projection`: the requests, jobs, rows, storage, processes and connections for a number of users. It calculates from measured
 *  sizes, measured prices and assumed habits, and prints all of them. */
import { startDisposable } from '../support/disposable.ts';
import { Bench } from './bench.ts';

const ROWS = 10_000;
const people = [1_000, 100_000, 10_000_000];

/** Assumed values per active person and working day, unless named otherwise. */
const habits = {
  'people active on a working day': 0.6,
  'working days a year': 220,
  'pages opened': 40,
  'forms sent': 8,
  'calls of REST integrations': 30,
  'agents at work': 0.5,
  'tool calls of an agent': 60,
  'share of tool calls that write': 0.35,
  "busiest hour's share of a day": 0.15,
  'people in an account': 50,
  'workspaces of an account': 5,
  'years kept': 3,
} as const;

/** CPU milliseconds [our process, PostgreSQL], as `npm run bench` prints them, with room to spare; a forecast of 300 open tasks. */
const prices = {
  page: [3, 3.5],
  form: [3, 3.5],
  rest: [0.8, 0.6],
  tool: [1.2, 2.6],
  shortJob: [1.0, 0.95],
  forecast: [20, 10],
} as const;

/** Planned share of a core, which leaves room for peaks within the hour. */
const BUSY = 0.6;
/** Assumed limits of one primary. */
const PRIMARY = { cores: 32, bytes: 4e12 };
const POOL = 10;
/** See Connections in docs/operations.md. */
const WORKER_CONNECTIONS = POOL + 2;

const activeDays = habits['people active on a working day'] * habits['working days a year'];
const toolCalls = habits['agents at work'] * habits['tool calls of an agent'];
const writes = toolCalls * habits['share of tool calls that write'];

/** The rows of a table: made per active person and day (by some forms and agents' writes), and the days they are kept, forever if left out.
 *  Sizes are measured on `select` lists for n = 1 … ROWS with realistically spread parent ids. Rewritten: rows that are updated once on
 *  average and leave dead space. */
interface Table {
  perDay: number;
  keptDays?: number;
  columns: string;
  values: string;
  rewritten?: boolean;
}

const tables: Record<string, Table> = {
  items: {
    perDay: 0.5 + 0.1 * writes,
    columns:
      'account_id, workspace_id, type, title, description, status, status_key, priority_key, assignee_id, estimated_hours, due_date, needs',
    values: `n % 20, n % 60, 'task', words(n, 8), words(n, 60), 'planned', 'planned', 'normal', n % 500, n % 40, date '2026-01-01' + n % 365, 1`,
    rewritten: true,
  },
  item_texts: {
    perDay: 0.5 + 0.1 * writes,
    columns: 'account_id, workspace_id, item_id, words',
    values: `n % 20, n % 60, n, words(n, 68)`,
  },
  comments: {
    perDay: 2 + 0.4 * writes,
    columns: 'account_id, workspace_id, item_id, author_id, body',
    values: `n % 20, n % 60, n % 4000, n % 500, words(n, 50)`,
  },
  time_entries: {
    perDay: 2 + 0.15 * writes,
    columns: 'account_id, workspace_id, user_id, item_id, kind, day, minutes, note',
    values: `n % 20, n % 60, n % 500, n % 4000, 'manual', date '2026-01-01' + n % 365, 45, words(n, 6)`,
    rewritten: true,
  },
  time_parts: {
    perDay: 2 + 0.15 * writes,
    columns: 'account_id, workspace_id, user_id, entry_id, day, minutes',
    values: `n % 20, n % 60, n % 500, n, date '2026-01-01' + n % 365, 45`,
  },
  plan_blocks: {
    perDay: 1,
    columns: 'account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at',
    values: `n % 20, n % 60, n % 500, n % 4000, '2026-03-03T09:00', '2026-03-03T10:00', 'Europe/Madrid',
      timestamptz '2026-01-01' + n * interval '1 hour', timestamptz '2026-01-01 01:00' + n * interval '1 hour'`,
    rewritten: true,
  },
  notifications: {
    perDay: 2,
    columns: 'account_id, workspace_id, user_id, kind, block_id, due_at',
    values: `n % 20, n % 60, n % 500, 'block_starts', n, timestamptz '2026-01-01' + n * interval '1 hour'`,
    rewritten: true,
  },
  personal_notes: {
    perDay: 0.3,
    columns: 'account_id, user_id, html, title, text',
    values: `n % 20, n % 500, '<p>' || words(n, 200) || '</p>', words(n, 6), words(n, 200)`,
    rewritten: true,
  },
  activity: {
    perDay: toolCalls,
    keptDays: 90,
    columns: 'account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms',
    values: `n % 20, n % 500, n % 500, n % 60, 'svc_update_item', 'ok', 12`,
  },
  receipts: {
    perDay: writes,
    keptDays: 30,
    columns: 'account_id, connection_id, request_id, tool, fingerprint, result',
    values: `n % 20, n % 500, gen_random_uuid(), 'svc_update_item', sha256(n::text::bytea), json_build_object('itemId', n, 'version', 2)`,
  },
};

/** Plain English of a number of words, different for each n. */
const words = `create function pg_temp.words(n integer, count integer) returns text language sql return (
  select string_agg((string_to_array('the of to and in is it that for was on are as with they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know', ' '))
    [1 + (hashint8(n * 1000 + i) & 65535) % 100] || case when i % 9 = 0 then (n * i)::text else '' end, ' ') from generate_series(1, count) i)`;

/** Calls per second in the busiest hour. */
function peakOf(count: number) {
  const active = count * habits['people active on a working day'];
  const perSecond = (perPerson: number) => (active * perPerson * habits["busiest hour's share of a day"]) / 3600;
  const [page, form, rest, tool] = [habits['pages opened'], habits['forms sent'], habits['calls of REST integrations'], toolCalls].map(
    perSecond,
  );
  // A block's start, end and two reminders; two mails; a forecast for two of three writes, once a second and workspace at most.
  const workspaces = (count / habits['people in an account']) * habits['workspaces of an account'];
  const forecast = Math.min(workspaces, perSecond((habits['forms sent'] / 2 + writes / 2) * 0.67));
  return { page: page!, form: form!, rest: rest!, tool: tool!, shortJob: perSecond(6), forecast };
}

type Peak = ReturnType<typeof peakOf>;
const coresOf = (peak: Peak, kinds: (keyof Peak)[], side: 0 | 1) =>
  kinds.reduce((sum, kind) => sum + peak[kind] * prices[kind][side], 0) / 1000 / BUSY;
const requestKinds = ['page', 'form', 'rest', 'tool'] as const;
const jobKinds = ['shortJob', 'forecast'] as const;

function project(count: number, sizes: Record<string, number>) {
  const peak = peakOf(count);
  const kept = (days: number) => (days ? days / 365 : habits['years kept']);
  const rows = Object.entries(tables).map(
    ([table, { perDay, keptDays = 0 }]) => [table, count * perDay * activeDays * kept(keptDays)] as const,
  );
  const bytes = rows.reduce((sum, [table, number]) => sum + number * sizes[table]!, 0);
  // At least two of each, so that one may fail.
  const webs = Math.max(2, Math.ceil(coresOf(peak, [...requestKinds], 0)));
  const workers = Math.max(2, Math.ceil(coresOf(peak, [...jobKinds], 0)));
  const databaseCores = coresOf(peak, [...requestKinds, ...jobKinds], 1);
  const primaries = Math.max(1, Math.ceil(databaseCores / PRIMARY.cores), Math.ceil(bytes / PRIMARY.bytes));
  return {
    'requests/s': short(requestKinds.reduce((sum, kind) => sum + peak[kind], 0)),
    'jobs/s': short(jobKinds.reduce((sum, kind) => sum + peak[kind], 0)),
    rows: short(rows.reduce((sum, [, number]) => sum + number, 0)),
    storage: `${short(bytes)}B`,
    'web processes': short(webs),
    'worker processes': short(workers),
    'PostgreSQL cores': short(Math.max(1, databaseCores)),
    'primaries (shards)': short(primaries),
    'connections to each, direct': short((webs * (POOL + 1) + workers * WORKER_CONNECTIONS) / primaries),
    'sessions of each behind PgBouncer': short(
      Math.min(4 * PRIMARY.cores, Math.max(10, (4 * databaseCores) / primaries)) + (webs + workers * WORKER_CONNECTIONS) / primaries,
    ),
  };
}

/** Two digits and k, M, G or T. */
function short(value: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1000 ** power;
  return `${scaled < 10 && scaled % 1 > 0.05 ? scaled.toFixed(1) : Math.round(scaled)}${power ? ` ${' kMGT'[power]}` : ''}`;
}

/** Bytes of a row with its indexes and share of free space, by table. */
async function measureRowSizes(bench: Bench): Promise<Record<string, number>> {
  const client = await bench.client(await bench.database());
  await client.query(words);
  // Without triggers that keep tables in sync: each table is filled separately.
  await client.query('set session_replication_role = replica');
  const sizes: Record<string, number> = {};
  for (const [table, { columns, values, rewritten }] of Object.entries(tables)) {
    const call = values.replaceAll('words(', 'pg_temp.words(');
    await client.query(`insert into ${table} (${columns}) select ${call} from generate_series(1, ${ROWS}) n`);
    if (rewritten) await client.query(`update ${table} set account_id = account_id`);
    const { rows } = await client.query(`select pg_total_relation_size('${table}')::float8 / ${ROWS} as size`);
    sizes[table] = Math.round(rows[0].size);
  }
  await bench.end();
  return sizes;
}

const server = await startDisposable();
const sizes = await measureRowSizes(new Bench('projection', server));
await server.stop();
console.log('Assumed');
console.table(habits);
console.log('CPU milliseconds: our process, PostgreSQL');
console.table(prices);
console.log('Measured: bytes a row with its indexes; made per active person and day');
const tableOf = ({ perDay, keptDays }: Table) => ({ perDay: Number(perDay.toFixed(2)), kept: keptDays ? `${keptDays} days` : 'for ever' });
console.table(Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { bytes: sizes[name], ...tableOf(table) }])));
console.log('Busiest hour; rows and storage after the years kept');
console.table(Object.fromEntries(people.map((count) => [count.toLocaleString('en'), project(count, sizes)])));
process.exit(0);
