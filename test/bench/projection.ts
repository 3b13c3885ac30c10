/** `npm run projection`: the requests, jobs, rows, storage, processes and connections for a number of users. It calculates from measured
 *  sizes, measured prices and assumed habits, and prints all of them. */
import { measureRowSizes } from './rowSizes.ts';

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

/** Rows made per active person and day, and the days they are kept (forever if left out). Some forms and agents' writes make each. */
const rowsMade: Record<string, [perDay: number, days?: number]> = {
  items: [0.5 + 0.1 * writes],
  item_texts: [0.5 + 0.1 * writes],
  comments: [2 + 0.4 * writes],
  time_entries: [2 + 0.15 * writes],
  time_parts: [2 + 0.15 * writes],
  plan_blocks: [1],
  notifications: [2],
  personal_notes: [0.3],
  activity: [toolCalls, 90],
  receipts: [writes, 30],
};

function rowsKept(count: number): Record<string, number> {
  const years = habits['years kept'];
  return Object.fromEntries(
    Object.entries(rowsMade).map(([table, [perDay, days]]) => [table, count * perDay * activeDays * (days ? days / 365 : years)]),
  );
}

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
  const rows = rowsKept(count);
  const bytes = Object.entries(rows).reduce((sum, [table, number]) => sum + number * sizes[table]!, 0);
  // At least two of each, so that one may fail.
  const webs = Math.max(2, Math.ceil(coresOf(peak, [...requestKinds], 0)));
  const workers = Math.max(2, Math.ceil(coresOf(peak, [...jobKinds], 0)));
  const databaseCores = coresOf(peak, [...requestKinds, ...jobKinds], 1);
  const primaries = Math.max(1, Math.ceil(databaseCores / PRIMARY.cores), Math.ceil(bytes / PRIMARY.bytes));
  return {
    'requests/s': short(requestKinds.reduce((sum, kind) => sum + peak[kind], 0)),
    'jobs/s': short(jobKinds.reduce((sum, kind) => sum + peak[kind], 0)),
    rows: short(Object.values(rows).reduce((sum, number) => sum + number, 0)),
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

const sizes = await measureRowSizes();
console.log('Assumed');
console.table(habits);
console.log('CPU milliseconds: our process, PostgreSQL');
console.table(Object.fromEntries(Object.entries(prices).map(([kind, [ours, database]]) => [kind, { ours, PostgreSQL: database }])));
console.log('Measured: bytes a row with its indexes; made per active person and day');
console.table(
  Object.fromEntries(
    Object.entries(rowsMade).map(([table, [perDay, days]]) => [
      table,
      { bytes: sizes[table], perDay: Number(perDay.toFixed(2)), kept: days ? `${days} days` : 'for ever' },
    ]),
  ),
);
console.log('Busiest hour; rows and storage after the years kept');
const columns = people.map((count) => project(count, sizes));
const line = (cells: string[]) => console.log(`| ${cells.join(' | ')} |`);
line(['People', ...people.map((count) => count.toLocaleString('en'))]);
line(['---', ...people.map(() => '---:')]);
for (const name of Object.keys(columns[0]!) as (keyof ReturnType<typeof project>)[]) line([name, ...columns.map((column) => column[name])]);
process.exit(0);
