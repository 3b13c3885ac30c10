/** The API reference in a real browser, under its own policy. */
import { fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: object };
}
const EMAIL = 'reader@acme.example';
let web: Web;
let base: string;
let refs: WorldRefs;
test.before('a world', async () => {
  const reader = { ref: 'reader', email: EMAIL, name: 'Reader', password: PASSWORD };
  const items = [{ ref: 'task', type: 'task' as const, title: 'Write' }];
  refs = await world(database.url, oneWorkspace({ items, members: [{ user: 'reader', role: 'member' }] }, { users: [reader] }));
  web = await startWeb(database.url);
  base = `${web.baseUrl}/api/v1`;
});
test.after('stop', () => web?.stop());

test('the reference shows every operation, requests no other host, follows its policy, and can call operations, but follows no redirect with a key', async (t) => {
  // The page fails this test when it violates its policy.
  const page = await browser.shared(t);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));

  await page.goto(`${base}/docs`);
  const { paths, components } = (await (await fetch(`${base}/openapi.json`)).json()) as Document;

  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shown = await page.locator('article.op').evaluateAll((all) => all.map(({ id }) => id));
  t.deepEqual(
    shown.sort(),
    [...operations.map(({ operationId }) => operationId), ...Object.keys(components.schemas).map((name) => `shape-${name}`)].sort(),
  );

  const { hostname } = new URL(base);
  t.deepEqual(
    asked.filter((address) => new URL(address).hostname !== hostname),
    [],
  );
  const send = async (name: string, fields: Record<string, string> = {}) => {
    const part = page.locator(`#${name} .try`);
    if (!(await part.locator('form').isVisible())) await part.locator('summary').click();
    for (const [field, value] of Object.entries(fields)) await part.locator(`[name="${field}"]`).fill(value);
    await part.getByRole('button', { name: 'Send' }).click();
    await part.getByText(/: \d{3} /).waitFor();
    return (await part.locator('.tried').textContent()) ?? '';
  };
  t.regex(await send('getCapabilities'), /401 Unauthorized/, 'no one is signed in here');
  complaints.length = 0;
  await page.locator('#try-key').fill(refs.key('k1'));
  t.regex(await send('getCapabilities'), /200 OK.*"apiVersion"/s);
  t.regex(await send('listItems', { workspaceId: String(refs.id('apollo')), type: 'task' }), /200 OK.*"items"/s);
  t.deepEqual(complaints, []);
  const kept = await page.evaluate(`(async () => ({
    ...localStorage, ...sessionStorage, cookie: document.cookie, databases: await indexedDB.databases(), caches: await caches.keys(), url: location.href
  }))()`);
  t.deepEqual(kept, { cookie: '', databases: [], caches: [], url: `${base}/docs` }, 'the key is stored nowhere');

  // A page that redirects to sign in replaces a service that redirects.
  const keyed: string[] = [];
  page.on('request', async (request) => (await request.allHeaders())['x-api-key'] && keyed.push(request.url()));
  await page.locator('[data-api]').evaluate((part, address) => part.setAttribute('data-api', address), web.baseUrl);
  const part = page.locator('#listWorkspaces .try');
  await part.locator('summary').click();
  await part.getByRole('button', { name: 'Send' }).click();
  await part.getByText('Redirects are not followed.').waitFor();
  t.deepEqual(keyed, [`${web.baseUrl}/workspaces`]);
});

test('signed-in users find the reference in the frame, and call as themselves, including writes', async (t) => {
  const page = await browser.shared(t);
  await openAs(page, web.baseUrl, EMAIL, `${base}/docs`);
  await page.locator('#side').waitFor();
  const part = page.locator('#addComment .try');
  await part.locator('summary').click();
  await part
    .locator('[name="body"]')
    .fill(JSON.stringify({ workspaceId: refs.id('apollo'), id: refs.id('task'), body: 'Tried from the reference' }));
  await part.getByRole('button', { name: 'Send' }).click();
  await part.getByText(/: \d{3} /).waitFor();
  t.regex((await part.locator('.tried').textContent()) ?? '', /: 200 OK.*Tried from the reference/s);
});
