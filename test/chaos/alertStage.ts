/** A web process and a worker with their PostgreSQL behind a proxy, a mail server, a webhook receiver and a model, for alerts.ts to
 *  break. */
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { startModelServer } from '../support/modelServer.ts';
import { startReceiver } from '../support/receiver.ts';
import { draftOf } from '../support/restWorld.ts';
import { mailServer } from '../support/smtp.ts';
import { Calls } from './calls.ts';
import { Postgres } from './postgres.ts';
import { Crew, type Life } from './processes.ts';
import { METRICS_ENV } from './scrape.ts';
import { makeTown } from './town.ts';
import { makeWebhook } from './webhooks.ts';

export type AlertStage = Awaited<ReturnType<typeof setUpAlerts>>;

const READERS = 4;

export async function setUpAlerts(endings: (() => unknown)[]) {
  const postgres = await Postgres.start();
  endings.push(() => postgres.end());
  const { workspaceId, ownerId, agents, restKey, browser } = await makeTown(postgres.url, READERS);
  await postgres.rows('update connections set plain_language = true');

  const mail = await mailServer({ teardown: (end) => endings.push(end) });
  const [receiver, model] = await Promise.all([startReceiver(), startModelServer()]);
  endings.push(
    () => receiver.close(),
    () => model.close(),
  );
  await makeWebhook(postgres.url, workspaceId, ownerId, receiver.url);

  const env = {
    ...METRICS_ENV,
    DATABASE_POOL_SIZE: '3',
    SMTP_URL: mail.url,
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    OPENAI_API_KEY: 'a key',
    OPENAI_BASE_URL: model.baseUrl,
    REWRITE_TIMEOUT_MS: '5000',
  };
  const crew = await Crew.start(postgres, env, ['web', 'worker']);
  endings.push(() => crew.end());
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
    log: () => crew.log,
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
