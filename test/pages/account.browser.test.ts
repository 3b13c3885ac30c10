/** The account's pages in a real browser: an agent from connecting to revoking, mailed links, refused forms, signing out. everyPage.browser.test.ts
 *  checks every page of the table, withoutScript.browser.test.ts confirmations without script. */
import type { Request } from 'playwright-core';
import { mailInvitation } from '../../src/accounts/invitations.ts';
import { connectDb } from '../../src/database/db.ts';
import { expectAccessible, expectFitsPhone, openAccountMenu, openAs, waitUntil } from '../support/browser.ts';
import { clients } from '../support/mcpClients.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';
import { startWeb, TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const EMAIL = emailOf('ana');
const work = workPages(
  { mcp: { enabled: true, limits: { tasks: 'write' } } },
  { connections: [{ ref: 'c1', user: 'ana', name: 'Agent', workspaces: ['apollo'] }] },
);

/** How many forms wait in this browser, of all users. */
const WAITING = `new Promise((done) => {
  indexedDB.open('stint /stint', 1).onsuccess = ({ target: { result: db } }) => {
    db.transaction('outbox').objectStore('outbox').count().onsuccess = ({ target }) => { db.close(); done(target.result); };
  };
})`;

test('an agent is connected, used, rotated and revoked; no address and no storage of the browser contains its keys', async (t) => {
  const page = await work.browser.shared(t);
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await work.open(t, `${work.web.baseUrl}/mcp-access`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop <script>x()</script>');
  await page.getByRole('button', { name: 'Create connection' }).click();
  const key = (await page.locator('#new-key').textContent())!;
  const url = `${work.web.baseUrl}/mcp`;
  const client = await clients['@modelcontextprotocol/sdk 1']!({ url, key });
  t.is((await client.call('svc_context', {})).connection.name, 'Laptop <script>x()</script>');
  await client.close();
  const press = async (button: string) => {
    await page.goto(`${work.web.baseUrl}/mcp-access`);
    const card = page.getByRole('article').filter({ hasText: 'Laptop' });
    await card.locator('summary').click();
    await card.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: button }).click();
  };
  await press('Rotate key');
  const second = (await page.locator('#new-key').textContent())!;
  const status = async (one: string) =>
    (await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${one}`, 'Content-Type': 'application/json' }, body: '{}' }))
      .status;
  t.is(await status(key), 401);
  t.not(await status(second), 401);
  await press('Revoke');
  await page.getByRole('status').waitFor();
  t.is(await status(second), 401);
  t.false(urls.some((one) => one.includes(key) || one.includes(second)));
  const kept = String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'));
  t.regex(kept, /^\[\{"stint-last [^{}]*\{[^{}]*\}"\},\{\}\]$/, 'only who was signed in last, for the offline page');
  t.false(kept.includes(key) || kept.includes(second));
});

test('the page of a new link follows its mail without a reload: "Sending…", sent, or the error and a new link', async (t) => {
  const server = await mailServer(t);
  const mailing = await startWeb(work.databaseUrl, { SMTP_URL: server.url });
  t.teardown(mailing.stop);
  const db = await connectDb(work.databaseUrl, 1);
  t.teardown(() => db.close());
  const settings = { mail: { smtpUrl: server.url, from: 'stint@acme.example' }, baseUrl: mailing.baseUrl, secretKey: TEST_SECRET };
  const page = await work.browser.shared(t);
  const add = async (name: string): Promise<number> => {
    await openAs(page, mailing.baseUrl, EMAIL, `${mailing.baseUrl}/settings/people`);
    await page.locator('#add').getByRole('textbox', { name: 'Name' }).fill(name);
    await page.locator('#add').getByLabel('Email').fill(`${name}@acme.example`);
    await page.locator('#add').getByRole('button', { name: 'Add' }).click();
    await page.getByText('Sending…').waitFor();
    return Number(/\/invitation\?i=(\d+)/.exec((await page.locator('#link').textContent())!)![1]);
  };
  await mailInvitation(db, settings, await add('taken'));
  await page.getByText('The email was sent.').waitFor();
  const refused = await add('refused');
  server.mood = 'refuses';
  for (let tries = 1; tries <= 3; tries++) await t.throwsAsync(mailInvitation(db, settings, refused));
  await page.getByText('The email was not sent. The mail server answered: 451 later').waitFor();
  await page.getByRole('button', { name: 'Create a link to copy' }).click();
  await waitUntil(page, `!document.querySelector('#link')?.textContent.includes('i=${refused}&')`);
  t.regex((await page.locator('#link').textContent())!, /invitation\?i=\d+&t=/);
});

test('refused forms and confirmations are accessible', async (t) => {
  const page = await work.browser.shared(t);
  await page.context().clearCookies();
  await page.goto(`${work.web.baseUrl}/sign-in`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(t, page);
  // As without script, which would open a dialog first.
  await work.open(t, `${work.web.baseUrl}/mcp-access`);
  await page.evaluate('document.querySelector("form[data-confirm]").submit()');
  await page.getByRole('heading', { name: 'Are you sure?' }).waitFor();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
});

test('after signing out nothing waits in the browser, and Back shows nothing', async (t) => {
  const page = await work.browser.shared(t);
  const fails = (request: Request) => request.method() === 'POST' && !request.url().endsWith('/sign-out');
  await page.route('**', (route) => (fails(route.request()) ? route.abort('connectionreset') : route.continue()));
  await openAs(page, work.web.baseUrl, EMAIL, `${work.web.baseUrl}/my`);
  await page.getByLabel('Add a task, or log or plan time').fill('Secret of Ana');
  await page.keyboard.press('Enter');
  await page.locator('.outbox', { hasText: '1 change waits' }).waitFor();
  t.is(await page.evaluate(WAITING), 1);
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.unroute('**');
  await waitUntil(page, `${WAITING}.then((count) => count === 0)`);
  await page.goBack();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  t.false((await page.content()).includes('Secret of Ana'));
});
