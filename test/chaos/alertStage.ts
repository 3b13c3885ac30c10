/** A web process and a worker with their PostgreSQL behind a proxy, a mail server, a webhook receiver and a model, for alerts.ts to
 *  break. */
import { randomUUID } from 'node:crypto';
import { migrate } from '../../src/database/migrate.ts';
import { post } from '../support/mcpWorld.ts';
import { startModelServer } from '../support/modelServer.ts';
import { PASSWORD } from '../support/password.ts';
import { startReceiver } from '../support/receiver.ts';
import { mailServer } from '../support/smtp.ts';
import { oneWorkspace, world } from '../support/world.ts';
import { Postgres } from './postgres.ts';
import { Crew, type Life } from './processes.ts';
import { METRICS_ENV } from './scrape.ts';
import { makeWebhook } from './webhooks.ts';

export type AlertStage = Awaited<ReturnType<typeof setUpAlerts>>;

export async function setUpAlerts(endings: (() => unknown)[]) {
  const postgres = await Postgres.start();
  endings.push(() => postgres.end());
  await migrate(postgres.url);
  const readers = ['r1', 'r2', 'r3', 'r4'];
  const file = oneWorkspace(
    { members: readers.map((user) => ({ user, role: 'member' as const })) },
    {
      users: readers.map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref })),
      restKeys: readers.map((user) => ({
        ref: `key ${user}`,
        user,
        name: 'Read',
        grants: ['workspaces:read', 'tasks:read'] as const,
      })) as never,
    },
  );
  const ana = file.accounts[0]!.users![0]!;
  ana.password = PASSWORD;
  file.accounts[0]!.connections![0]!.plainLanguage = true;
  const refs = await world(postgres.url, file);
  const workspaceId = refs.id('apollo');

  const mail = await mailServer({ teardown: (end) => endings.push(end) });
  const [receiver, model] = await Promise.all([startReceiver(), startModelServer()]);
  endings.push(
    () => receiver.close(),
    () => model.close(),
  );
  await makeWebhook(postgres.url, workspaceId, refs.id('ana'), receiver.url);

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
  const baseUrl = web.baseUrl!;

  const agent = { url: `${baseUrl}/mcp`, key: refs.key('c1') };
  const call = (name: string, given: object) =>
    post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
  const headers = { 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' };
  const save = async (): Promise<number> => {
    const record = { type: 'task', title: 'A task', description: '', status: 'planned', fields: {} };
    const body = JSON.stringify({ workspaceId, record });
    const answer = await fetch(`${baseUrl}/api/v1/items/save`, { method: 'POST', headers, body });
    return ((await answer.json()) as { id: number }).id;
  };
  const itemId = await save();
  let reads = 0;
  /** By one person after the other. */
  const read = () =>
    fetch(`${baseUrl}/api/v1/item?workspaceId=${workspaceId}&id=${itemId}`, {
      headers: { 'X-API-Key': refs.key(`key ${readers[reads++ % readers.length]}`) },
    });
  return {
    postgres,
    proxies: crew.members.map(({ proxy }) => proxy),
    mail,
    receiver,
    model,
    web: web.spawned,
    worker: worker.spawned,
    email: ana.email,
    log: () => crew.log,
    /** Addresses of the processes' metrics. */
    baseUrls: [baseUrl, `http://127.0.0.1:${port}`],
    save,
    read,
    readAsAgent: () => call('svc_context', {}),
    /** True if the note was rewritten and saved. */
    async addNote(): Promise<boolean> {
      const answer = await call('svc_add_note', { id: itemId, requestId: randomUUID(), body: 'I basically fixed 3 tests for Alice.' });
      return (await answer.text()).includes('I fixed 3 tests for Alice.');
    },
    addJob: (name: string, payload: object, more = '') =>
      postgres.rows(`select graphile_worker.add_job($1, $2::json${more})`, [name, JSON.stringify(payload)]),
  };
}
