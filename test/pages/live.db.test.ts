/** Live pages over HTTP: a web application and a worker process, which share only the database. */
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openLive } from '../support/liveStream.ts';
import { type Spawned, spawnFor, spawnNode } from '../support/processes.ts';
import { draftOf, Fixtures, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { startWeb, TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let worker: Spawned;
let base: string;
test.before('a web application and a worker', async () => {
  const env = { SECRET_KEY: TEST_SECRET, LOG_LEVEL: 'info', DATABASE_URL: database.url };
  worker = spawnNode(['workers/index.ts'], { env });
  world = await restWorld(database.url);
  base = world.api.base.replace(/\/api\/v1$/, '');
  await worker.log({ msg: 'listening' });
});
test.after('stop', async () => {
  worker?.kill('SIGKILL');
  await world?.end();
});

const cookieOf = async (userId: number) => ({ Cookie: `JSESSIONID=${await world.fixtures.session(userId)}`, 'X-Forwarded-Proto': 'https' });
const since = async (headers: Record<string, string>, place: string) => {
  const answer = await fetch(`${base}/live/since?place=${encodeURIComponent(place)}`, { headers });
  return {
    status: answer.status,
    body: answer.status === 200 ? ((await answer.json()) as { changed: boolean; own: string; place: string }) : null,
  };
};
const placeIn = (html: string) => /data-place="([^"]+)"/.exec(html)![1]!;

test("a change reaches an open page through a worker, starting after the page's own place", async (t) => {
  const headers = await cookieOf(world.ownerId);
  const page = await fetch(`${base}/workspaces/${world.workspaceId}`, { headers });
  const html = await page.text();
  t.regex(html, new RegExp(`data-user="${world.ownerId}" data-session="[\\w-]+" data-follow="${world.workspaceId}"`));
  const live = await openLive(base, { ...headers, 'Last-Event-ID': placeIn(html) });
  t.is(live.status, 200);
  t.is(live.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.is(live.headers.get('cache-control'), 'no-store, no-transform');
  t.is(live.headers.get('x-accel-buffering'), 'no');
  t.is((await live.next('hello')).data.changed, false);
  const task = await world.owner.save(draftOf('task'));
  const { id, data } = await live.next('changes');
  t.deepEqual(data, { workspace: world.workspaceId, items: [task.id], above: [], own: false, mine: false });
  live.close();
  // Resuming from the last event misses nothing, and neither does resuming from the page's place.
  const again = await openLive(base, { ...headers, 'Last-Event-ID': id! });
  t.is((await again.next('hello')).data.changed, false);
  again.close();
  const late = await openLive(base, { ...headers, 'Last-Event-ID': placeIn(html) });
  t.is((await late.next('hello')).data.changed, true);
  late.close();
});

test('polling returns nothing new, something new, and handles an unknown place', async (t) => {
  const { userId } = await world.join('viewer', { tasks: 'none' });
  const [ana, blind] = [await cookieOf(world.ownerId), await cookieOf(userId)];
  const first = await since(ana, 'nothing');
  t.true(first.body!.changed);
  const place = first.body!.place;
  t.false((await since(ana, place)).body!.changed);
  await world.owner.save(draftOf('task'));
  // Open transactions elsewhere in the database cluster hold it back for a moment.
  const told = await eventually(
    () => since(ana, place),
    ({ body }) => body!.changed,
  );
  t.true(told.body!.changed);
  t.false((await since(blind, place)).body!.changed);
  t.not((await since(ana, place)).body!.place, (await since(ana, place)).body!.place);
});

test('only a valid session can follow: no key, and no ended session', async (t) => {
  for (const headers of [{ 'X-API-Key': world.key }, { Cookie: 'JSESSIONID=nothing' }] as Record<string, string>[]) {
    const live = await openLive(base, { ...headers, 'X-Forwarded-Proto': 'https' });
    t.is(live.status, 401);
    live.close();
    t.is((await since({ ...headers, 'X-Forwarded-Proto': 'https' }, '')).status, 401);
  }
});

test('polling for changes does not count as a use of the session', async (t) => {
  const headers = await cookieOf(world.ownerId);
  const used = () => world.fixtures.sql('select count(*)::int as used from sessions where last_used_at > created_at');
  const before = await used();
  await since(headers, '');
  const live = await openLive(base, headers);
  await live.next('hello');
  live.close();
  t.deepEqual(await used(), before);
});

test('a page after a form and an error page follow nothing', async (t) => {
  const headers = await cookieOf(world.ownerId);
  const missing = await fetch(`${base}/workspaces/${world.workspaceId}/items/999999`, { headers });
  t.is(missing.status, 403);
  t.notRegex(await missing.text(), /data-place/);
});

test('partial updates contain timer and counts, and their forms redirect back to the page', async (t) => {
  const headers = await cookieOf(world.ownerId);
  const task = await world.owner.save(draftOf('task'));
  await world.fixtures.sql(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     values ($1, $2, $3, $4, 'timer', date_trunc('second', now()), (now() at time zone 'UTC')::date)`,
    [world.accountId, world.workspaceId, world.ownerId, task.id],
  );
  const html = await (await fetch(`${base}/live/frame?at=${encodeURIComponent('/profile?x=1')}`, { headers })).text();
  t.regex(html, /name="back" value="\/profile\?x=1"/);
  const away = await (await fetch(`${base}/live/frame?at=${encodeURIComponent('//elsewhere.example/')}`, { headers })).text();
  t.notRegex(away, /elsewhere/);
});

test('without room for streams the answer says when to retry, and with streams disabled pages ask for none', async (t) => {
  const fixtures = new Fixtures(database.url);
  const web = await startWeb(database.url, { LIVE_STREAMS: '1' });
  const [headers, others] = [await cookieOf(world.ownerId), await cookieOf((await world.join('viewer')).userId)];
  const live = await openLive(web.baseUrl, headers);
  await live.next('hello');
  const refused = await openLive(web.baseUrl, others);
  t.is(refused.status, 503);
  t.true(Number(refused.headers.get('retry-after')) > 0);
  live.close();
  await web.stop();
  const without = await startWeb(database.url, { LIVE_STREAMS: '0', RATE_LIMIT_PAGES: '2' });
  t.notRegex(await (await fetch(`${without.baseUrl}/profile`, { headers })).text(), /data-place/);
  // Polling counts like any other request of a session.
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await fetch(`${without.baseUrl}/live/since`, { headers })).status);
  t.is(statuses.at(-1), 429);
  await without.stop();
  await fixtures.close();
});

test('a draining process ends its streams at once, each with one log line', async (t) => {
  const env = { SECRET_KEY: TEST_SECRET, LOG_LEVEL: 'info', DATABASE_URL: database.url, PORT: '0', METRICS_TOKEN: 'figures of streams' };
  const web = spawnFor(t, ['src/web.ts'], { env });
  const { port } = await web.log({ msg: 'listening' });
  const at = `http://127.0.0.1:${port}`;
  const live = await openLive(at, { Cookie: (await cookieOf(world.ownerId)).Cookie });
  await live.next('hello');
  const metrics = await (await fetch(`${at}/metrics`, { headers: { Authorization: 'Bearer figures of streams' } })).text();
  t.regex(metrics, /stint_live_streams 1/);
  t.false(web.lines.some((line) => line.includes('GET /live')));
  web.kill('SIGTERM');
  await live.ended;
  t.is((await web.exit()).code, 0);
  const lines = web.lines.filter((line) => line.includes('"operation":"GET /live"')).map((line) => JSON.parse(line));
  t.is(lines.length, 1);
  t.is(lines[0].status, 200);
  t.is(lines[0].user, world.ownerId);
});
