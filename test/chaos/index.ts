/** `npm run chaos [-- MINUTES] [--seed N]`: chaos for that time (2 minutes by default), with the same faults for the same seed.
 *  `npm run chaos -- --alerts`: the situation of each alert. Exits with 1 if a check fails. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAlerts } from './alerts.ts';
import { broken, table } from './report.ts';
import { runChaos } from './run.ts';

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' }, alerts: { type: 'boolean' } }, allowPositionals: true });
const [minutes, seed] = [Number(positionals[0] ?? 2), Number(values.seed ?? randomInt(1, 1_000_000))];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('Usage: npm run chaos -- [MINUTES] [--seed WHOLE NUMBER] [--alerts]');

console.log(values.alerts ? 'alerts' : `chaos for ${minutes} min, seed ${seed}`);
const { checks, log } = values.alerts ? await runAlerts() : await runChaos({ seed, durationMs: minutes * 60_000, agents: 8 });
console.log(table(checks));
const isBroken = broken(checks).length > 0;
if (isBroken) {
  const logFile = join(tmpdir(), `stint-chaos-${seed}.log`);
  writeFileSync(logFile, log.join('\n'));
  console.log(`What the processes said is in ${logFile}`);
}
process.exit(isBroken ? 1 : 0);
