/** The cost of each layer of GET /item, from bare node:http to the deployed service, interleaved in one run. Also the cost in PostgreSQL of
 *  each part of a read, list, save and comment. */
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb } from '../../src/database/db.ts';
import { getItem } from '../../src/items/getItem.ts';
import { perform } from '../../src/operations/perform.ts';
import { memoryOf } from '../../src/start/services.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { spawnNode } from '../support/processes.ts';
import { capture } from './capture.ts';
import { statementLadder } from './ladderStatements.ts';
import { load } from './load.ts';
import { compare, round, type Variant } from './measure.ts';
import { benchDatabase, encodeBuffer, settingsOf, startWebProcess } from './servers.ts';

const WARM_SECONDS = 20;

export async function ladder(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_ladder');
  const bulk = await makeBulk(url, 1_000);
  const input = { workspaceId: bulk.workspaceId, id: bulk.lastTaskId };
  const call = {
    method: 'GET' as const,
    path: `/api/v1/item?workspaceId=${input.workspaceId}&id=${input.id}`,
    headers: { 'X-API-Key': bulk.key },
  };
  const rungs = await startRungs(url, bulk, input);
  const deployed = await startWebProcess(url, { LOG_LEVEL: 'warn' });
  const logging = await startWebProcess(url);
  try {
    const variants: Omit<Variant, 'calls'>[] = [
      ...Object.entries(rungs.ports).map(([name, port]) => ({ name, port, pid: rungs.pid })),
      { name: 'a process of its own', ...deployed },
      { name: '+ its log', ...logging },
    ];
    // The layers share most of their code, and warm it for each other.
    for (const { port } of [deployed, logging]) await load(port, () => call, { seconds: WARM_SECONDS });
    print(await compare(variants.map((variant) => ({ ...variant, calls: () => () => call }))));
  } finally {
    await Promise.all([rungs.stop(), deployed.stop(), logging.stop()]);
  }
  await statementLadder(url, bulk);
}

async function startRungs(url: string, { key }: Bulk, input: { workspaceId: number; id: number }) {
  const db = await connectDb(url, 1);
  const [statement] = await capture(() => perform(db, { kind: 'key', hash: hashSecret(key) }, getItem, input));
  await db.close();
  const given = JSON.stringify({ key, input, statement }, encodeBuffer);
  const spawned = spawnNode([...memoryOf.web, 'test/bench/ladderRungs.ts'], { env: { ...settingsOf(url), LADDER: given } });
  const { ports } = JSON.parse(await spawned.line(/"ports"/)) as { ports: Record<string, number> };
  const stop = async () => {
    spawned.kill('SIGKILL');
    await spawned.exit();
  };
  return { ports, pid: spawned.pid, stop };
}

function print(figures: { name: string; cpuMicros: number }[]) {
  console.log('\nGET /item, CPU of the web process for each request');
  const floor = figures[0]!.cpuMicros;
  const row = (cpuMicros: number, before: number) => ({
    'CPU µs': Math.round(cpuMicros),
    'x bare': round(cpuMicros / floor),
    'this layer, x bare': round((cpuMicros - before) / floor),
  });
  console.table(Object.fromEntries(figures.map(({ name, cpuMicros }, n) => [name, row(cpuMicros, figures[n - 1]?.cpuMicros ?? 0)])));
}
