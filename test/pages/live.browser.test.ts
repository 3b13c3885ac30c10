/** Live pages in a real browser: two people, one of them with two pages in one browser. */
import type { Request } from 'playwright-core';
import { connectDb, type Db } from '../../src/database/db.ts';
import { liveFollower } from '../../src/live/since.ts';
import { makeLogger } from '../../src/log.ts';
import { startFollowing } from '../../workers/worker.ts';
import { openAs, setSession } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { Fixtures } from '../support/restWorld.ts';
import { startStreamProxy } from '../support/streamProxy.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const ended = new AbortController();
let db: Db;
let fixtures: Fixtures;
const work = workPages({
  items: [
    { ref: 'one', type: 'task', title: 'Write it down' },
    { ref: 'two', type: 'task', title: 'Read it out' },
  ],
});
test.before('a worker', async () => {
  db = await connectDb(work.databaseUrl, 2);
  fixtures = new Fixtures(work.databaseUrl);
  void startFollowing(db, [liveFollower], makeLogger('silent', 'worker'), ended.signal);
});
test.after('stop', async () => {
  ended.abort();
  await fixtures.close();
  await db?.close();
});

/** As Ana, in another session. */
async function elsewhere(path: string, body: object): Promise<{ version: number }> {
  const key = await fixtures.key(work.refs.id('ana'));
  const answer = await fetch(`${work.web.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ workspaceId: work.refs.id('apollo'), ...body }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { version: number };
}
const task = (ref: string, title: string, version = 1) => ({
  record: { id: work.refs.id(ref), version, type: 'task', title, description: '', status: 'planned', fields: {} },
});
const isListening = (requests: Request[]) =>
  eventually(
    async () => requests.length,
    (opened) => opened > 0,
  );

test("other users' changes appear without a reload in all pages of a browser through one stream, and typed text, choices and focus stay", async (t) => {
  const page = await work.browser.page(t);
  const streams: Request[] = [];
  page.context().on('request', (request) => request.url().endsWith('/live') && streams.push(request));
  const list = await page.context().newPage();
  await openAs(list, work.web.baseUrl, emailOf('mia'), work.at);
  await page.goto(work.item('one'));
  await isListening(streams);
  await page.evaluate('window.unbroken = true');

  const box = page.getByRole('textbox', { name: 'Add a comment' });
  await box.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await box.pressSequentially('Half a ');
  const { version } = await elsewhere('/items/save', task('one', 'Write it all down'));
  await elsewhere('/comments', { id: work.refs.id('one'), body: 'From elsewhere' });
  await page.getByText('From elsewhere').waitFor();
  await page.getByRole('heading', { name: 'Write it all down' }).waitFor();
  await page.keyboard.type('thought');
  t.is((await box.innerText()).replaceAll('\u00a0', ' '), 'Half a thought');
  t.true(await page.evaluate('document.activeElement.matches(".comment-form .ProseMirror") && window.unbroken'));
  await list.getByRole('link', { name: 'Write it all down' }).first().waitFor();
  t.is(await page.locator('.fresh').count(), 0);

  // An open menu is left alone; then the missed changes appear.
  await page.locator('.panel a.chg-status').click();
  await page.locator('.menu-box').waitFor();
  await elsewhere('/items/save', task('one', 'Write all of it down', version));
  const offer = page.locator('.fresh');
  // After a reconnection the page knows only that something changed.
  await offer.getByRole('button', { name: /^(\d+ changes?: show|Show new changes)$/ }).waitFor();
  t.true(await page.locator('.menu-box').isVisible());
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Write all of it down' }).waitFor();
  await offer.waitFor({ state: 'detached' });
  t.is(await box.innerText(), 'Half a thought');

  // The page's own change causes at most one more fetch: its form's answer may predate the end of older transactions.
  const fetched: string[] = [];
  page.on(
    'request',
    (request) =>
      request.url() === work.item('one') && !request.isNavigationRequest() && !request.redirectedFrom() && fetched.push(request.method()),
  );
  const before = await list.locator('#head').getAttribute('data-place');
  await page.getByRole('button', { name: 'Comment' }).click();
  await page.locator('.history p').getByText('Half a thought').waitFor();
  // In one event with other users' changes, it would cause a fetch.
  await list.locator(`#head:not([data-place="${before}"])`).waitFor();
  // A page that got 503 is requested again.
  let refused = 0;
  await list.route(work.at, (route) => route.fulfill({ status: 503, body: '' }).finally(() => refused++), { times: 1 });
  await elsewhere('/items/save', task('two', 'Read it aloud'));
  await list.getByRole('link', { name: 'Read it aloud' }).first().waitFor();
  t.is(refused, 1);
  t.true(fetched.length <= 1, fetched.join());

  // A timer that starts elsewhere.
  await work.rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     select account_id, workspace_id, $2, id, 'timer', date_trunc('second', now()), (now() at time zone 'UTC')::date from items where id = $1`,
    [work.refs.id('two'), work.refs.id('mia')],
  );
  await page.locator('#timer').getByText('Read it aloud').waitFor();
  await list.locator('#timer').getByText('Read it aloud').waitFor();
  t.is(streams.filter((request) => request.failure() === null).length, 1);
});

test.long('a page polls without a stream, behind a proxy that buffers streams, and behind one that cuts them', async (t) => {
  const proxy = await startStreamProxy(work.web.baseUrl);
  t.teardown(proxy.close);
  const page = await work.browser.page(t);
  await page.clock.install();
  await setSession(page, work.web.baseUrl, (await signedIn(work.web.baseUrl, emailOf('vic'))).cookie);
  const list = proxy.url + work.at.slice(work.web.baseUrl.length);
  const opened = (count: number) =>
    eventually(
      async () => proxy.streams(),
      (streams) => streams >= count,
    );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
  /** An item created elsewhere appears eventually. The clock may not run far ahead: the page would take that for a slow server. */
  const shows = async (title: string) => {
    await elsewhere('/items/save', { record: { type: 'task', title, description: '', status: 'planned', fields: {} } });
    const link = page.getByRole('link', { name: title }).first();
    const isThere = async () => {
      await page.clock.runFor(2_000);
      return link.waitFor({ timeout: 500 }).then(
        () => true,
        () => false,
      );
    };
    t.true(await eventually(isThere, Boolean), title);
  };

  await page.route('**/live', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, body: '' }));
  await page.goto(list);
  await shows('Found by asking');
  await page.unroute('**/live');
  t.is(proxy.streams(), 0);

  asked.length = 0;
  proxy.gather();
  await page.goto(list);
  await opened(1);
  await shows('Kept back by a proxy');
  for (const count of [2, 3]) {
    await page.clock.runFor(3_000);
    await opened(count);
    await page.clock.runFor(8_500);
  }
  // After the first missing heartbeat, not after three.
  t.true(asked.slice(0, asked.lastIndexOf('live')).includes('since'), asked.join());
  await shows('Asked for instead');
  t.is(proxy.streams(), 3);

  proxy.pass();
  await page.goto(list);
  for (const count of [4, 5, 6]) {
    await opened(count);
    await proxy.cut();
    await page.clock.runFor(3_500);
  }
  await shows('Asked for after three cuts');
  t.is(proxy.streams(), 6);
});
