/** `npm run projection`: processes, PostgreSQL cores and storage for a number of people, calculated from assumed habits, and prices and
 *  sizes that were measured. */

const people = [300, 1_000, 1_000_000, 10_000_000, 100_000_000];

/** Assumed: of an active person on a working day. */
const PAGES = 40;
const FORMS = 8;
const REST_CALLS = 30;
const TOOL_CALLS = 30;
const AGENT_WRITES = 0.35 * TOOL_CALLS;
/** A block's start, end and two reminders; two mails. */
const SHORT_JOBS = 6;
/** Two of three writes. */
const FORECASTS = 0.67 * (FORMS / 2 + AGENT_WRITES / 2);

const ACTIVE = 0.6;
const WORKING_DAYS = 220;
const YEARS_KEPT = 3;
const BUSIEST_HOUR = 0.15;
const WORKSPACES_OF_A_PERSON = 5 / 50;
/** Planned share of a core, which leaves room for peaks within the hour. */
const BUSY = 0.6;

/** CPU milliseconds [our process, PostgreSQL], as `npm run bench` prints them, with room to spare; a forecast of 300 open tasks. */
type Price = [process: number, database: number];
const prices = {
  page: [3, 3.5],
  rest: [0.8, 0.6],
  tool: [1.2, 2.6],
  shortJob: [1.0, 0.95],
  forecast: [20, 10],
} satisfies Record<string, Price>;

/** Rows that an active person and their agent make on a working day, bytes of a row with its indexes, and the years it is kept. */
const tables: Record<string, { rows: number; bytes: number; years?: number }> = {
  items: { rows: 0.5 + 0.1 * AGENT_WRITES, bytes: 2067 },
  item_texts: { rows: 0.5 + 0.1 * AGENT_WRITES, bytes: 1545 },
  comments: { rows: 2 + 0.4 * AGENT_WRITES, bytes: 881 },
  time_entries: { rows: 2 + 0.15 * AGENT_WRITES, bytes: 363 },
  time_parts: { rows: 2 + 0.15 * AGENT_WRITES, bytes: 251 },
  plan_blocks: { rows: 1, bytes: 592 },
  notifications: { rows: 2, bytes: 517 },
  personal_notes: { rows: 0.3, bytes: 4356 },
  activity: { rows: TOOL_CALLS, bytes: 184, years: 90 / 365 },
  receipts: { rows: AGENT_WRITES, bytes: 225, years: 30 / 365 },
};

function project(count: number) {
  const perSecond = (perPerson: number) => (count * ACTIVE * perPerson * BUSIEST_HOUR) / 3600;
  const calls: [number, Price][] = [
    [perSecond(PAGES + FORMS), prices.page],
    [perSecond(REST_CALLS), prices.rest],
    [perSecond(TOOL_CALLS), prices.tool],
  ];
  const jobs: [number, Price][] = [
    [perSecond(SHORT_JOBS), prices.shortJob],
    // Once a second and workspace at most.
    [Math.min(count * WORKSPACES_OF_A_PERSON, perSecond(FORECASTS)), prices.forecast],
  ];
  const cores = (work: [number, Price][], side: 0 | 1) => work.reduce((sum, [rate, price]) => sum + rate * price[side], 0) / 1000 / BUSY;
  const bytesOfADay = Object.values(tables).reduce((sum, { rows, bytes, years = YEARS_KEPT }) => sum + rows * bytes * years, 0);
  return {
    // At least two of each, so that one may fail.
    'web processes': Math.max(2, Math.ceil(cores(calls, 0))),
    workers: Math.max(2, Math.ceil(cores(jobs, 0))),
    'PostgreSQL cores': Math.max(1, Math.round(cores([...calls, ...jobs], 1))),
    'storage, GB': Math.ceil((count * ACTIVE * WORKING_DAYS * bytesOfADay) / 1e9),
  };
}

console.table(Object.fromEntries(people.map((count) => [count.toLocaleString('en'), project(count)])));
