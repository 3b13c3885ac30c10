/** `npm run attacks [-- NAME …]`: hostile clients against one web process, and their effect on another user: p99, event loop lag, memory.
 *  `turns` tries the largest request of every operation instead, or of those whose title contains TURNS. Exits with 1 if a limit is
 *  exceeded. Timings depend on the machine, so the limits leave room. */
import { asDeployed, makeBench } from '../bench/bench.ts';
import { startDisposable } from '../support/disposable.ts';
import { attacks } from './attacks.ts';
import { compareRefusals } from './equalTimes.ts';
import { measure, printTable, type Row } from './measure.ts';
import { makeStage } from './stage.ts';
import { measureTurns } from './turns/measureTurns.ts';

const names = process.argv.slice(2);
const wanted = (name: string) => names.length === 0 || names.includes(name);
const chosen = Object.keys(attacks).filter(wanted);
const others = ['equalTimes', 'turns'];
if (names.some((name) => !(name in attacks) && !others.includes(name))) throw new Error('There is no such attack.');

const clean = await asDeployed();
const postgres = await startDisposable();
let broken = false;
try {
  const bench = makeBench('attacks', postgres);
  const stage = await makeStage(bench);
  const rows: Row[] = [];
  if (names.length === 0 || chosen.some((name) => attacks[name]!.judgesMedian)) rows.push(await measure(stage, null));
  const quiet = rows[0]?.p50;
  for (const name of chosen) {
    rows.push(await measure(stage, name, quiet));
    console.log(`${rows.at(-1)!.title}: ${JSON.stringify(rows.at(-1)!.answers)}`);
  }
  printTable(rows);
  broken ||= rows.some(({ verdict }) => verdict !== 'kept');
  if (wanted('equalTimes')) broken = !(await compareRefusals(stage)) || broken;
  // The last one: it fills every collection of the attacker.
  if (wanted('turns')) broken = !(await measureTurns(stage, process.env.TURNS)) || broken;
  await bench.end();
} finally {
  await postgres.stop();
  clean();
}
process.exit(broken ? 1 : 0);
