/** What-if on a scope of 2,000 tasks and 40 people: the reader's wait after a change, in CPU of the web process and of PostgreSQL. Part of
 *  `npm run bench -- forecast`; `npm run bench -- what-if` runs it alone. */
import { Fixtures } from '../support/restWorld.ts';
import { load } from './load.ts';
import { cpuOfChildren, cpuSeconds, type Goal, median, round } from './measure.ts';
import { makePeopled } from './peopled.ts';
import { benchDatabase, startWebProcess } from './servers.ts';

const TASKS = 2_000;
const PEOPLE = 40;
const ROUNDS = 7;
const SECONDS = 2;

export async function whatIf(adminUrl: string, postmaster: number): Promise<Goal[]> {
  const url = await benchDatabase(adminUrl, 'bench_what_if');
  const { workspaceId, userId, firstTaskId } = await makePeopled(url, TASKS, PEOPLE);
  const fixtures = new Fixtures(url);
  const headers = { Cookie: `JSESSIONID=${await fixtures.session(userId)}` };
  await fixtures.close();
  const web = await startWebProcess(url);
  const scope = `/capacity/what-if?workspaceId=${workspaceId}`;
  const shown = {
    'nothing tried': scope,
    'an estimate': `${scope}&e${firstTaskId}=77`,
    'twenty tasks and hours': `${scope}&h${userId}=12${Array.from({ length: 20 }, (_, n) => `&e${firstTaskId + n}=${70 + n}&d${firstTaskId + n}=2027-03-01`).join('')}`,
  };
  try {
    const rows: Record<string, Record<string, number>> = {};
    for (const [name, path] of Object.entries(shown)) {
      const samples: { web: number; database: number; p50: number }[] = [];
      for (let n = -1; n < ROUNDS; n++) {
        const spent = () => [cpuSeconds(web.pid), cpuOfChildren(postmaster)] as const;
        const before = spent();
        const call = () => ({ method: 'GET' as const, path, headers });
        const { requests, statuses, p50 } = await load(web.port, call, { connections: 1, seconds: n < 0 ? 4 : SECONDS });
        const after = spent();
        if (Object.keys(statuses).join() !== '200') throw new Error(`${name} answered ${JSON.stringify(statuses)}`);
        if (n < 0) continue;
        const of = (which: 0 | 1) => ((after[which] - before[which]) * 1e3) / requests;
        samples.push({ web: of(0), database: of(1), p50 });
      }
      const of = (key: 'web' | 'database' | 'p50') => median(samples.map((sample) => sample[key]));
      rows[name] = { 'web ms': round(of('web')), 'PostgreSQL ms': round(of('database')), 'median ms': round(of('p50')) };
    }
    console.log(`\nWhat if, of ${TASKS.toLocaleString('en')} tasks and ${PEOPLE} people, one reader`);
    console.table(rows);
    return Object.entries(rows).map(([name, row]) => ({
      text: `what if, ${name}: CPU until the answer, ms`,
      value: row['web ms']! + row['PostgreSQL ms']!,
      want: 'at most',
      bound: 300,
    }));
  } finally {
    await web.stop();
  }
}
