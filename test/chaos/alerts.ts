/** Causes each situation of the alerts in docs/monitoring/rules.yml with real processes, and checks the alert's condition on /metrics. It
 *  does not wait for durations: rules.test.yml tests those. SQL makes rows old where needed. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { type AlertStage, setUpAlerts } from './alertStage.ts';
import type { Check } from './report.ts';
import { type Scrape, scrape } from './scrape.ts';

type Rings = (now: Scrape, before: Scrape) => boolean;

const growth = (now: Scrape, before: Scrape, series: RegExp) => now.sum(series) - before.sum(series);
const requests = /^stint_request_duration_seconds_count/;
const FILLER_BYTES = 20e6;

/** The condition of each alert. */
const conditions: Record<string, Rings> = {
  StintDown: ({ up }) => !up[0],
  StintProcessDown: ({ up }) => up.includes(false),
  StintDatabaseDown: (now) => now.max('stint_database_up') < 1,
  StintNoWorkers: (now) => now.max('stint_workers_alive') < 1,
  StintQueueLate: (now) => now.max('stint_oldest_runnable_job_seconds') > 120,
  StintQueueGrows: (now, before) =>
    now.max('stint_jobs{state="runnable"}') > 1000 && now.max('stint_jobs{state="runnable"}') > before.max('stint_jobs{state="runnable"}'),
  StintJobsRetrying: (now) => now.max('stint_jobs{state="retrying"}') > 0,
  StintJobsFailed: (now) => now.max('stint_jobs{state="failed"}') > 0,
  StintWebhookFails: (now) => now.max('stint_webhook_failing_seconds') > 900,
  StintModelFails: (now, before) =>
    growth(now, before, /^stint_rewrites_total\{outcome="(?!rewritten|aborted)/) >
    growth(now, before, /^stint_rewrites_total\{outcome="rewritten"/),
  StintUnavailable: (now, before) => growth(now, before, /^stint_unavailable_total/) / growth(now, before, requests) > 0.01,
  StintSlow: (now, before) => growth(now, before, /^stint_request_duration_seconds_bucket\{le="1",/) < 0.99 * growth(now, before, requests),
  StintPoolExhausted: (now) => now.max('stint_pool_connections{state="waiting"}') > 1,
  /** The operator chooses the limit. */
  StintDatabaseLarge: (now, before) => now.max('stint_database_bytes') - before.max('stint_database_bytes') >= FILLER_BYTES,
  StintForecastLate: (now) => now.max('stint_forecast_late_seconds') > 600,
  StintEventLoopLag: (now) => now.max('nodejs_eventloop_lag_p99_seconds') > 0.25,
};

/** All alerts except those that a busy machine may fire. */
const setOffByLoad = ['StintSlow', 'StintEventLoopLag', 'StintPoolExhausted'];
const calm = Object.keys(conditions).filter((alert) => !setOffByLoad.includes(alert));

interface Situation {
  cause(stage: AlertStage): Promise<unknown>;
  rings: string[];
  /** Alerts that must not fire. */
  silent?: string[];
  heal?(stage: AlertStage): Promise<unknown>;
}

const isUp = (now: Scrape) => now.max('stint_workers_alive') > 0;
let inFlight: Promise<unknown> = Promise.resolve();

/** In this order: the last situations end processes. */
const situations: Record<string, Situation> = {
  'the mail server refuses mails': {
    async cause({ mail, addJob, email }) {
      mail.mood = 'refuses';
      await addJob('forgotten_password', { email });
    },
    rings: ['StintJobsRetrying'],
  },
  'a job fails for good': {
    cause: ({ addJob }) => addJob('prune', { due: 'no date' }, ', max_attempts => 1'),
    rings: ['StintJobsFailed'],
  },
  'the receiver of a webhook fails': {
    async cause(stage) {
      stage.receiver.mood = () => 'fails';
      await stage.save();
      await scrapeUntil(stage, (now) => now.max('stint_webhook_failing_seconds') > 0);
      await stage.postgres.rows(`update webhooks set failing_since = failing_since - interval '15 minutes'`);
    },
    rings: ['StintWebhookFails'],
  },
  'the model refuses the key': {
    async cause({ model, addNote }) {
      model.mode = 'unauthorized';
      await addNote();
    },
    rings: ['StintModelFails'],
  },
  'the database answers slowly': {
    async cause({ proxies, readAsAgent }) {
      for (const proxy of proxies) proxy.delay(600);
      inFlight = Promise.all(Array.from({ length: 20 }, readAsAgent));
    },
    rings: ['StintPoolExhausted'],
    silent: ['StintDatabaseDown'],
    heal: () => inFlight,
  },
  'requests are slow': {
    cause: ({ readAsAgent }) => Promise.all(Array.from({ length: 5 }, readAsAgent)),
    rings: ['StintSlow'],
    heal: async ({ proxies }) => proxies.forEach((proxy) => void proxy.heal()),
  },
  'PostgreSQL is silent': {
    cause: async ({ proxies }) => proxies.forEach((proxy) => void proxy.blackhole()),
    rings: ['StintDatabaseDown'],
    silent: ['StintNoWorkers'],
    async heal(stage) {
      for (const proxy of stage.proxies) proxy.heal();
      await scrapeUntil(stage, isUp);
    },
  },
  'PostgreSQL is stopped': {
    cause: ({ postgres }) => postgres.stop('stop'),
    rings: ['StintDatabaseDown'],
    silent: ['StintNoWorkers'],
  },
  'requests while PostgreSQL is stopped': {
    cause: ({ read }) => read(),
    rings: ['StintUnavailable'],
  },
  'calls of agents while PostgreSQL is stopped': {
    cause: ({ readAsAgent }) => readAsAgent(),
    rings: ['StintUnavailable'],
    async heal(stage) {
      await stage.postgres.launch();
      for (const proxy of stage.proxies) proxy.retarget(stage.postgres.url);
      await scrapeUntil(stage, isUp);
    },
  },
  'the database grows': {
    cause: ({ postgres }) =>
      postgres.rows(`create table filler as select repeat('x', 1000) from generate_series(1, ${FILLER_BYTES / 1000})`),
    rings: ['StintDatabaseLarge'],
  },
  'a process is busy': {
    async cause({ web }) {
      // After a scrape, measuring the event loop starts with its second turn.
      await sleep(200);
      web.kill('SIGSTOP');
      await sleep(1_000);
      web.kill('SIGCONT');
    },
    rings: ['StintEventLoopLag'],
  },
  'all workers are killed': {
    async cause({ worker, postgres }) {
      worker.kill('SIGKILL');
      await worker.exit();
      await postgres.rows(`update workers set seen_at = seen_at - interval '90 seconds'`);
    },
    rings: ['StintNoWorkers', 'StintProcessDown'],
    silent: ['StintDatabaseDown', 'StintDown'],
  },
  'jobs wait': {
    async cause({ addJob, postgres }) {
      await addJob('prune', {}, `, run_at => now() - interval '3 minutes'`);
      await postgres.rows(`select count(graphile_worker.add_job('prune')) from generate_series(1, 1001)`);
    },
    rings: ['StintQueueLate', 'StintQueueGrows'],
  },
  'a forecast is not computed': {
    async cause({ save, postgres }) {
      await save();
      await postgres.rows(`update capacity_marks set marked_at = marked_at - interval '11 minutes'`);
    },
    rings: ['StintForecastLate'],
  },
  'all web processes are killed': {
    async cause({ web }) {
      web.kill('SIGKILL');
      await web.exit();
    },
    rings: ['StintDown', 'StintProcessDown'],
  },
};

const rules: { alert: string }[] = parse(readFileSync(new URL('../../docs/monitoring/rules.yml', import.meta.url), 'utf8')).groups[0].rules;

/** A check for each situation: alerts that did not fire, and those that did without need. */
export async function runAlerts(): Promise<{ checks: Check[]; log: string[] }> {
  const endings: (() => unknown)[] = [];
  try {
    const stage = await setUpAlerts(endings);
    const caused = new Set(Object.values(situations).flatMap(({ rings }) => rings));
    const checks = [
      { name: 'every alert has a situation', found: rules.map(({ alert }) => alert).filter((alert) => !caused.has(alert)) },
      { name: 'notes are rewritten while nothing is broken', found: (await stage.addNote()) ? [] : ['a note is not'] },
      { name: 'nothing is broken', found: await problemsOf(stage, { cause: stage.addNote, rings: [], silent: calm }) },
    ];
    for (const [name, situation] of Object.entries(situations)) {
      checks.push({ name, found: await problemsOf(stage, situation) });
      await situation.heal?.(stage);
    }
    return { checks, log: stage.log() };
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function problemsOf(stage: AlertStage, { cause, rings, silent = [] }: Situation): Promise<string[]> {
  const before = await scrape(stage.baseUrls);
  await cause(stage);
  const missing = (now: Scrape) => rings.filter((alert) => !conditions[alert]!(now, before));
  const now = await scrapeUntil(stage, (now) => missing(now).length === 0);
  const misleading = silent.filter((alert) => conditions[alert]!(now, before));
  return [...missing(now).map((alert) => `${alert} does not ring`), ...misleading.map((alert) => `${alert} rings`)];
}

/** The first matching scrape, or the last one after half a minute. */
async function scrapeUntil({ baseUrls }: AlertStage, fits: (now: Scrape) => boolean): Promise<Scrape> {
  for (const end = performance.now() + 30_000; ; await sleep(100)) {
    const now = await scrape(baseUrls);
    if (fits(now) || performance.now() > end) return now;
  }
}
