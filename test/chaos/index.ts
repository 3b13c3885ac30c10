/** `node test/chaos/index.ts [MINUTES] [--seed N]`: chaos for that time (2 minutes by default), with the same faults for the same seed.
 *  `node test/chaos/index.ts --alerts`: the situation of each alert. Exits with 1 if a check fails. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAlerts } from './alerts.ts';
import { broken, table } from './report.ts';
import { runChaos } from './run.ts';

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' }, alerts: { type: 'boolean' } }, allowPositionals: true });
const minutes = Number(positionals[0] ?? 2);
const seed = Number(values.seed ?? randomInt(1, 1_000_000));
if (!(minutes > 0 && minutes <= 600) || !Number.isSafeInteger(seed) || positionals.length > 1) {
  console.error('Usage: npm run chaos -- [MINUTES, up to 600] [--seed WHOLE NUMBER], or npm run chaos -- --alerts');
  process.exit(2);
}

const progress = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
if (values.alerts) {
  const rows = await runAlerts(progress);
  console.log(table('alerts that do not ring as they should', rows));
  process.exit(broken(rows).length === 0 ? 0 : 1);
}
progress(`chaos for ${minutes} min, seed ${seed}`);
const report = await runChaos({ seed, durationMs: minutes * 60_000, agents: 8, onProgress: progress });
console.log(table(`chaos, seed ${seed}`, report.rows));
if (broken(report.rows).length === 0) process.exit(0);
const logFile = join(tmpdir(), `stint-chaos-${seed}.log`);
writeFileSync(logFile, report.log.join('\n'));
console.log(`What the processes said is in ${logFile}`);
process.exit(1);
