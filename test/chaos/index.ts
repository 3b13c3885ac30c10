/** `node test/chaos/index.ts [MINUTES] [--seed N]`: chaos for that long (2 minutes), the same faults for the same seed. Ends with 1
 *  when a promise is broken. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { broken, table } from './report.ts';
import { runChaos } from './run.ts';

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
const minutes = Number(positionals[0] ?? 2);
const seed = Number(values.seed ?? randomInt(1, 1_000_000));
if (!(minutes > 0 && minutes <= 600) || !Number.isSafeInteger(seed) || positionals.length > 1) {
  console.error('Usage: npm run chaos -- [MINUTES, up to 600] [--seed WHOLE NUMBER]');
  process.exit(2);
}

console.log(`${new Date().toISOString().slice(11, 19)} chaos for ${minutes} min, seed ${seed}`);
const report = await runChaos({
  seed,
  durationMs: minutes * 60_000,
  agents: 8,
  onProgress: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
});
console.log(table(report));
if (broken(report).length === 0) process.exit(0);
const logFile = join(tmpdir(), `stint-chaos-${seed}.log`);
writeFileSync(logFile, report.log.join('\n'));
console.log(`What the processes said is in ${logFile}`);
process.exit(1);
