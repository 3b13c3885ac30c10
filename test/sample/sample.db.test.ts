import pg from 'pg';
import { verifyPassword } from '../../src/accounts/password.ts';
import { sampleFile } from '../../src/sample/data.ts';
import { deckPlan } from '../../src/sample/deckPlan.ts';
import { workday } from '../../src/sample/entries.ts';
import { loadSample } from '../../src/sample/load.ts';
import { weekday } from '../../src/values/dates.ts';
import { freshDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

test('a new database gets the sample account once, and its key reads about sixty items of all five types', async (t) => {
  const url = await freshDatabase(t);
  const access = await loadSample(url);
  t.is(await loadSample(url), undefined);
  const web = await startWeb(url);
  t.teardown(web.stop);
  const get = async (path: string) => {
    const answer = await fetch(`${web.baseUrl}/api/v1${path}`, { headers: { 'X-API-Key': access!.restKey } });
    t.is(answer.status, 200, path);
    return answer.json() as Promise<{ workspaces: { id: number; sample: boolean }[]; items: unknown[] }>;
  };
  const { workspaces } = await get('/workspaces');
  t.is(workspaces.length, 2);
  t.true(workspaces.some(({ id, sample }) => id === access!.workspaceId && sample));
  const types = ['task', 'requirement', 'goal', 'release', 'milestone'];
  let count = 0;
  for (const type of types) {
    let ofType = 0;
    for (const { id } of workspaces) ofType += (await get(`/items?workspaceId=${id}&type=${type}&limit=100`)).items.length;
    t.true(ofType > 0, type);
    count += ofType;
  }
  t.true(count >= 55 && count <= 70, String(count));
});

test("the sample's password signs its people in, and each installation has its own password and keys", async (t) => {
  const url = await freshDatabase(t);
  const [access, other] = [await loadSample(url), await loadSample(await freshDatabase(t))];
  for (const secret of ['password', 'restKey', 'agentKey'] as const) t.not(access![secret], other![secret]);
  t.regex(access!.password, /^[a-z2-8]{5}(-[a-z2-8]{5}){3}$/);
  const client = new pg.Client(url);
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query('select password_hash from users where email = $1', [access!.email]);
  t.true(await verifyPassword(access!.password, rows[0].password_hash));
});

test('the sample shows absences, holidays, labels, dependencies, a template, a recurring task, a limit, a favorite and a file', async (t) => {
  const url = await freshDatabase(t);
  const access = (await loadSample(url))!;
  const client = new pg.Client(url);
  await client.connect();
  t.teardown(() => client.end());
  const count = async (from: string) => Number((await client.query(`select count(*) as n from ${from}`)).rows[0].n);
  for (const from of [
    'absences',
    'holidays',
    'item_labels',
    'item_dependencies',
    'templates',
    'recurrences',
    'stars',
    'statuses where wip_items is not null',
    `item_files where state = 'ready' and type = 'image/png'`,
  ])
    t.true((await count(from)) > 0, from);
  t.is(await count('sessions'), 0);
  const web = await startWeb(url);
  t.teardown(web.stop);
  const ana = await signedIn(web.baseUrl, access.email, access.password);
  const { rows } = await client.query('select f.id, f.item_id, f.blob_id from item_files f');
  const { html } = await ana.go(`/workspaces/${access.workspaceId}/items/${rows[0].item_id}`);
  t.regex(html, /<a[^>]*>deck-plan\.png<\/a>/);
  t.true(html.includes(`files/${rows[0].id}" alt="deck-plan.png"`), 'the comment shows the picture');
  const answer = await ana.request(`/files/${rows[0].id}`);
  t.is(answer.headers.get('content-type'), 'image/png');
  t.true(Buffer.from(await answer.arrayBuffer()).equals(deckPlan()));
});

// A Monday, a Friday, a weekend, the ends of a month, a year and a leap February: the sample counts days from there.
for (const today of ['2026-03-02', '2026-03-06', '2026-03-07', '2026-03-08', '2026-12-31', '2028-02-29']) {
  test(`the sample is a valid file on ${today}`, async (t) => {
    const refs = await world(await freshDatabase(t), sampleFile(today, PASSWORD));
    t.true(refs.id('ferry') > 0);
    t.true([-9, -1, 0, 1, 9].every((days) => weekday(workday(today, days)) < 5));
    t.true(workday(today, 1) > today && workday(today, -1) < today);
  });
}
