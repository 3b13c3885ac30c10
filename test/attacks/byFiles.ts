/** What a penetration test found in files: imports that stop a worker, and exports beyond the quota (H3 and L1). */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, loops, Tally, type Target } from './attack.ts';
import { owned, page, task } from './byFindings.ts';
import { formsOf, send, sessionOf } from './requests.ts';

const board = (lists: string) => `{"lists":[${lists}],"cards":[{"id":"c","name":"Card","idList":"l0"}]}`;
const many = (count: number, make: (n: number) => string, by = ',') => Array.from({ length: count }, (_, n) => make(n)).join(by);
/** Each is read by a worker. */
const files: Record<string, () => string> = {
  'types.json': () => `[${many(12, (n) => `{"number":${n + 1},"title":"T","state":"open","type":"${n}${'t'.repeat(8_000_000)}"}`)}]`,
  'columns.csv': () => `title${',c'.repeat(50_000)}\nA${',b'.repeat(50_000)}\n`.repeat(5),
  'headers.csv': () => `title,${many(1_000_000, (n) => `h${n}`)}\nA,b\n`,
  'blockers.csv': () =>
    `id,title,blocked by\n${many(60_000, (n) => `${n},T,"${many(200, (at) => String((n + at * 7) % 60_000), ';')}"`, '\n')}\n`,
  'lists.json': () => board(many(1_400_000, (n) => `{"id":"l${n}","name":"L"}`)),
  'names.json': () => board(many(8, (n) => `{"id":"l${n}","name":"${'n'.repeat(4 * 1024 * 1024)}"}`)),
};
const READ_WITHIN_MS = 180_000;
let made: Record<string, string> = {};

/** An upload as a browser sends it. */
function upload(target: Target, csrf: string, name: string) {
  const fields = [`name="_csrf"\r\n\r\n${csrf}`, `name="_once"\r\n\r\n${randomUUID()}`];
  const parts = [...fields, `name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${made[name]}`];
  const body = `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`;
  const headers = { ...sessionOf(target), 'Content-Type': 'multipart/form-data; boundary=x' };
  return { path: `/workspaces/${target.workspaceId}/settings/import/upload`, headers, body };
}

/** Sends a file again until it is stored: a person has three files read at a time (behaviour §36.20). */
async function uploadAll(target: Target, signal: AbortSignal, tally: Tally): Promise<void> {
  const { csrf } = await formsOf(target);
  const names = Object.keys(files);
  while (names[0] !== undefined && !signal.aborted) {
    const answer = new Tally();
    await send(target, upload(target, csrf, names[0]), answer);
    for (const what of Object.keys(answer.counts)) tally.add(what);
    if (answer.counts[303]) names.shift();
    else await sleep(500);
  }
}

export const byFiles: Record<string, Attack> = {
  imports: {
    ...{ title: 'Imports with 50,000 columns, a million headers, 12 million blockers, 1.4 million lists, names of 8 MB', seconds: 90 },
    worker: {},
    make: (databaseUrl) => owned(databaseUrl, [], async () => ({})),
    prepare: () => {
      made = Object.fromEntries(Object.entries(files).map(([name, make]) => [name, make()]));
    },
    async run(target, signal, tally) {
      const path = `/workspaces/${target.workspaceId}/settings/import`;
      const uploaded = uploadAll(target, signal, tally);
      await loops(2, signal, async () => {
        const answer = await fetch(`http://127.0.0.1:${target.port}/stint${path}`, { headers: sessionOf(target) });
        const shown = new Set([...(await answer.text()).matchAll(/settings\/import\/(\d+)"/g)].map(([, id]) => id));
        for (const id of shown) await send(target, page(target, `${path}/${id}`), tally);
        await sleep(200);
      });
      await uploaded;
    },
    async check(sql, { workspaceId }, answers) {
      const states = async () =>
        (await sql('select file_name, state, problem from imports where workspace_id = $1', [workspaceId])) as object[];
      const read = () => sql(`select count(*)::integer as left from imports where workspace_id = $1 and state = 'reading'`, [workspaceId]);
      for (const since = Date.now(); (await read())[0]!.left && Date.now() - since < READ_WITHIN_MS; ) await sleep(500);
      const found = (await states()) as { file_name: string; state: string; problem: string | null }[];
      for (const { file_name: name, state, problem } of found) Object.assign(answers, { [`${name}: ${problem ?? state}`]: 1 });
      const unread = found.filter(({ state }) => state === 'reading').map(({ file_name: name }) => `${name} is not read`);
      return found.length < Object.keys(files).length ? ['not all were uploaded', ...unread] : unread;
    },
  },
  exports: {
    ...{ title: 'Exports of two owners, each larger than half of what the account may store', seconds: 25 },
    ...{ env: { FILES_QUOTA_MB: '1' }, worker: { FILES_QUOTA_MB: '1' } },
    make(databaseUrl) {
      const items = Array.from({ length: 25 }, (_, n) => task(`long${n}`, { description: randomBytes(25_000).toString('hex') }));
      const users = [{ ref: 'eve', email: `${randomUUID()}@x.example`, name: 'Eve', accountRole: 'owner' as const }];
      const members = [{ user: 'eve', role: 'owner' as const }];
      return owned(databaseUrl, [{ items, members }, { users }], async (_sql, { id }, fixtures) => ({
        eve: `JSESSIONID=${await fixtures.session(id('eve'))}`,
      }));
    },
    run: (target, signal, tally) =>
      loops(2, signal, async (n) => {
        const own = n ? { ...target, cookie: target.made.eve! } : target;
        const { headers, csrf } = await formsOf(own);
        const body = new URLSearchParams({ _csrf: csrf, _once: randomUUID() }).toString();
        await send(own, { path: '/settings/account/exports', headers, body }, tally);
      }),
    async check(sql, { workspaceId }, answers) {
      const [found] = await sql(
        `select count(*)::integer as exports, count(*) filter (where reason = 'room')::integer as refused, coalesce(sum(size), 0)::integer as bytes,
           (select count(distinct user_id)::integer from data_exports x where x.account_id = w.account_id and state <> 'making') as people,
           (select coalesce(sum(bytes), 0)::integer from blob_usage u where u.account_id = w.account_id) as stored
         from workspaces w join data_exports x on x.account_id = w.account_id and x.state <> 'making' where w.id = $1 group by w.account_id`,
        [workspaceId],
      );
      Object.assign(answers, found);
      const { exports = 0, refused = 0, bytes = 0, stored = 0, people = 0 } = found ?? {};
      return [
        ...(exports === 0 ? ['no export was made'] : []),
        ...(refused === 0 ? ['no export was refused'] : []),
        ...(exports > people ? [`${exports} exports of ${people} people`] : []),
        ...(Math.max(bytes, stored) > 2 * 1024 * 1024 ? [`${stored} bytes stored`] : []),
      ];
    },
  },
};
