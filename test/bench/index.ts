/** `npm run bench`: every row in one run on this machine, as ratios against floors that send the same statements. `npm run bench -- scale`
 *  or other suites by name run only these. */
import type { Embedded } from '../../src/embedded/startEmbedded.ts';
import { startDisposable } from '../support/disposable.ts';
import { agents } from './agents.ts';
import { feel } from './feel.ts';
import { forecast } from './forecast.ts';
import { imports } from './imports.ts';
import { jobs } from './jobs.ts';
import { ladder } from './ladder.ts';
import { live } from './live.ts';
import { long } from './long.ts';
import { mcp } from './mcp.ts';
import { printGoals } from './measure.ts';
import { pages } from './pages.ts';
import { peers } from './peers.ts';
import { queue } from './queue.ts';
import { rest } from './rest.ts';
import { rows } from './rows.ts';
import { scale } from './scale.ts';
import { asDeployed } from './servers.ts';
import { upgrade } from './upgrade.ts';
import { whatIf } from './whatIf.ts';

const suites: Record<string, (server: Embedded) => Promise<void>> = {
  rest: ({ url }) => rest(url),
  mcp: ({ url }) => mcp(url),
  jobs: ({ url }) => jobs(url),
  forecast: ({ url, pid }) => forecast(url, pid),
  'what-if': async ({ url, pid }) => printGoals(await whatIf(url, pid)),
  scale: ({ url, pid }) => scale(url, pid),
  agents: ({ url }) => agents(url),
  ladder: ({ url }) => ladder(url),
  pages: ({ url, pid }) => pages(url, pid),
  live: ({ url, pid }) => live(url, pid),
  feel: ({ url }) => feel(url),
  queue: ({ url }) => queue(url),
  rows: ({ url, pid }) => rows(url, pid),
  long: ({ url }) => long(url),
  upgrade: ({ url }) => upgrade(url),
  imports: ({ url, pid }) => imports(url, pid),
};

/** These take an hour or gigabytes, or are part of another suite: only by name. */
const byName = ['imports', 'long', 'rows', 'upgrade', 'what-if'];
const wanted = process.argv.slice(2);
if (wanted.join() === 'peers') {
  // The servers already run, so only by name.
  await peers();
  process.exit(0);
}
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length) throw new Error(`${unknown.join(', ')}: there are ${Object.keys(suites).join(', ')}, and peers by itself.`);
// Tests switch autovacuum off. Long runs need it, as on any server.
const clean = await asDeployed();
const vacuumed = wanted.includes('long') || wanted.includes('upgrade');
const server = await startDisposable(vacuumed ? ['autovacuum_naptime=1min'] : []);
try {
  for (const [name, suite] of Object.entries(suites))
    if (wanted.length === 0 ? !byName.includes(name) : wanted.includes(name)) await suite(server);
} finally {
  await server.stop();
  clean();
}
process.exit(0);
