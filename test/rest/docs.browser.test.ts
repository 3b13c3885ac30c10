/** The API reference in a real browser, under its own policy. */
import { grants } from '../../src/access/rights.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: object };
}
const work = workPages(
  { items: [{ ref: 'task', type: 'task', title: 'Write' }] },
  { restKeys: [{ ref: 'k1', user: 'ana', name: 'Everything', grants: [...grants] }] },
);
const docs = () => `${work.web.baseUrl}/api/v1/docs`;

test('the reference shows every operation, requests no other host, follows its policy, and can call operations, but follows no redirect with a key', async (t) => {
  // The page fails this test when it violates its policy or requests another host.
  const page = await work.browser.shared(t);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));

  await page.goto(docs());
  const { paths, components } = (await (await fetch(`${work.web.baseUrl}/api/v1/openapi.json`)).json()) as Document;

  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shown = await page.locator('article.op').evaluateAll((all) => all.map(({ id }) => id));
  t.deepEqual(
    shown.sort(),
    [...operations.map(({ operationId }) => operationId), ...Object.keys(components.schemas).map((name) => `shape-${name}`)].sort(),
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
  await page.locator('#try-key').fill(work.refs.key('k1'));
  t.regex(await send('getCapabilities'), /200 OK.*"apiVersion"/s);
  t.regex(await send('listItems', { workspaceId: String(work.refs.id('apollo')), type: 'task' }), /200 OK.*"items"/s);
  t.deepEqual(complaints, []);
  const kept = await page.evaluate(`(async () => ({
    ...localStorage, ...sessionStorage, cookie: document.cookie, databases: await indexedDB.databases(), caches: await caches.keys(), url: location.href
  }))()`);
  t.deepEqual(kept, { cookie: '', databases: [], caches: [], url: docs() }, 'the key is stored nowhere');

  // A page that redirects to sign in replaces a service that redirects.
  const keyed: string[] = [];
  page.on('request', async (request) => (await request.allHeaders())['x-api-key'] && keyed.push(request.url()));
  await page.locator('[data-api]').evaluate((part, address) => part.setAttribute('data-api', address), work.web.baseUrl);
  const part = page.locator('#listWorkspaces .try');
  await part.locator('summary').click();
  await part.getByRole('button', { name: 'Send' }).click();
  await part.getByText('Redirects are not followed.').waitFor();
  t.deepEqual(keyed, [`${work.web.baseUrl}/workspaces`]);
});

test('signed-in users find the reference in the frame, and call as themselves, including writes', async (t) => {
  const page = await work.open(t, docs(), 'mia');
  await page.locator('#side').waitFor();
  const part = page.locator('#addComment .try');
  await part.locator('summary').click();
  await part
    .locator('[name="body"]')
    .fill(JSON.stringify({ workspaceId: work.refs.id('apollo'), id: work.refs.id('task'), body: 'Tried from the reference' }));
  await part.getByRole('button', { name: 'Send' }).click();
  await part.getByText(/: \d{3} /).waitFor();
  t.regex((await part.locator('.tried').textContent()) ?? '', /: 200 OK.*Tried from the reference/s);
});
