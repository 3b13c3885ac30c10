/** A web process and a worker with their PostgreSQL behind a proxy, a mail server, a webhook receiver and a model, for alerts.ts to
 *  break. */
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { startModelServer } from '../support/modelServer.ts';
import { draftOf } from '../support/restWorld.ts';
import { Calls } from './calls.ts';
import type { Life } from './processes.ts';
import { METRICS_ENV } from './scrape.ts';
import { startTown } from './town.ts';

export type AlertStage = Awaited<ReturnType<typeof setUpAlerts>>;

const READERS = 4;

export async function setUpAlerts(endings: (() => unknown)[]) {
  const model = await startModelServer();
  endings.push(() => model.close());
  const env = {
    ...METRICS_ENV,
    DATABASE_POOL_SIZE: '3',
    OPENAI_API_KEY: 'a key',
    OPENAI_BASE_URL: model.baseUrl,
    REWRITE_TIMEOUT_MS: '5000',
  };
  const { postgres, mail, people, receiver, crew } = await startTown({ agents: READERS, processes: ['web', 'worker'] }, env, endings);
  const { workspaceId, agents, restKey, browser } = people;
  await postgres.rows('update connections set plain_language = true');
  const [web, worker] = crew.members.map(({ life }) => life) as [Life, Life];
  const { port } = await worker.spawned.log({ msg: 'status is served' });

  const calls = new Calls();
  const headers = { 'X-API-Key': restKey };
  const save = async (): Promise<number | undefined> => {
    const answer = await calls.post(web, '/api/v1/items/save', headers, { workspaceId, record: draftOf('task') });
    return answer?.body.id;
  };
  // A busy machine may answer 503 at first.
  const itemId = await eventually(save, Boolean);
  let reads = 0;
  return {
    postgres,
    proxies: crew.members.map(({ proxy }) => proxy),
    mail,
    receiver,
    model,
    web: web.spawned,
    worker: worker.spawned,
    email: browser.email,
    log: crew.log,
    /** Addresses of the processes' metrics. */
    baseUrls: [web.baseUrl!, `http://127.0.0.1:${port}`],
    save,
    read: () => calls.send(web, `/api/v1/item?workspaceId=${workspaceId}&id=${itemId}`, { headers }),
    /** By one person after the other. */
    readAsAgent: () => calls.tool(web, agents[reads++ % READERS]!, 'svc_context', {}),
    /** True if the note was rewritten and saved. */
    async addNote(): Promise<boolean> {
      const note = { id: itemId, requestId: randomUUID(), body: 'I basically fixed 3 tests for Alice.' };
      const answer = await calls.tool(web, agents[0]!, 'svc_add_note', note);
      return JSON.stringify(answer).includes('I fixed 3 tests for Alice.');
    },
    addJob: (name: string, payload: object, more = '') =>
      postgres.rows(`select graphile_worker.add_job($1, $2::json${more})`, [name, JSON.stringify(payload)]),
  };
}
