/** `npm run bench [-- [--quick] NAME …]`: measures what docs/figures.md promises, mostly as ratios between two ways in one run. `--quick`
 *  shows in a few minutes that each benchmark works. Exits with 1 if one fails; the others still run. */
import { parseArgs } from 'node:util';
import { startDisposable } from '../support/disposable.ts';
import { agents } from './agents.ts';
import { asDeployed, type Bench, makeBench } from './bench.ts';
import { feel } from './feel.ts';
import { forecast, whatIf } from './forecast.ts';
import { imports } from './imports.ts';
import { jobs } from './jobs.ts';
import { live } from './live.ts';
import { long } from './long.ts';
import { mcp } from './mcp.ts';
import type { Goal } from './measure.ts';
import { ordinary } from './ordinary.ts';
import { pages } from './pages.ts';
import { rest } from './rest.ts';
import { rows } from './rows.ts';
import { upgrade } from './upgrade.ts';

type Benchmark = (bench: Bench) => Promise<Goal[]>;
const usual: Record<string, Benchmark> = { rest, mcp, jobs, forecast, 'what-if': whatIf, agents, pages, live, ordinary, feel };
/** These take an hour or gigabytes: only by name, or quickly. */
const costly: Record<string, Benchmark> = { imports, rows, long, upgrade };
const all = { ...usual, ...costly };

const { values, positionals: names } = parseArgs({ options: { quick: { type: 'boolean', default: false } }, allowPositionals: true });
const unknown = names.filter((name) => !(name in all));
if (unknown.length) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}
const wanted = names.length ? names : Object.keys(values.quick ? all : usual);

const clean = await asDeployed();
// Tests switch autovacuum off. Long runs need it, as on any server.
const vacuumed = wanted.includes('long') || wanted.includes('upgrade');
const server = await startDisposable(vacuumed ? ['autovacuum_naptime=1min'] : []);
const failed: string[] = [];
for (const name of wanted) {
  console.log(`\n== ${name}`);
  const bench = makeBench(name, server, values.quick);
  try {
    const goals = await all[name]!(bench);
    console.log('\nGoals');
    console.table(goals);
  } catch (error) {
    failed.push(name);
    console.error(error);
  }
  await bench.end();
}
await server.stop();
clean();
if (failed.length) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length ? 1 : 0);
