/** A new user's whole way, only in the browser: from an empty database to a working agent, an approval and a forecast. */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { clients, type McpClient } from '../support/mcpClients.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { runningWorker } from '../support/workers.ts';
import { ownerPath, startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser({ clipboard: true });
let web: Web;
test.before('an empty database', async () => {
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
/** Workspaces contain a part of this name, too. */
const ownAgents = (page: Page) => page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Agents', exact: true });
const notice = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

test('first run, a second person, a workspace, an agent and its end, an approval, a forecast', async (t) => {
  await runningWorker(t, database.url);
  const [ana, bo] = [await browser.page(t, { permissions: ['clipboard-read', 'clipboard-write'] }), await browser.page(t)];

  await ana.goto(web.baseUrl + (await ownerPath(database.url)));
  await expectAccessible(t, ana);
  await expectFitsPhone(t, ana);
  await ana.getByLabel('Account').fill('Acme');
  await ana.getByLabel('Your name').fill('Ana');
  await ana.getByLabel('Your email').fill('ana@acme.example');
  await ana.getByLabel('Password').fill(PASSWORD);
  await button(ana, 'Create account').click();
  await ana.getByRole('heading', { name: 'Create a workspace' }).waitFor();
  await expectAccessible(t, ana);
  await expectFitsPhone(t, ana);
  await link(ana, 'Skip').click();
  await ana.locator('details.me').getByText('Ana', { exact: true }).waitFor();

  await link(ana, 'People').click();
  await ana.getByRole('textbox', { name: 'Name', exact: true }).fill('Bo');
  await ana.getByRole('textbox', { name: 'Email' }).fill('bo@acme.example');
  await ana.getByRole('textbox', { name: 'Hours a week', exact: true }).fill('20');
  await button(ana, 'Add').click();
  await button(ana, 'Copy link').click();
  await expectAccessible(t, ana);
  await bo.goto(String(await ana.evaluate('navigator.clipboard.readText()')));
  await bo.getByRole('heading', { name: 'Join Acme' }).waitFor();
  await expectAccessible(t, bo);
  await expectFitsPhone(t, bo);
  await bo.getByLabel('Password').fill(PASSWORD);
  await button(bo, 'Set password and sign in').click();
  await link(bo, 'Manage').click();
  await bo.getByText('No workspaces yet').waitFor();

  await link(ana, 'Manage').click();
  await ana.getByLabel('Name of a new workspace').fill('Apollo');
  await button(ana, 'Create').click();
  await ana.getByRole('combobox', { name: 'Add from the account' }).selectOption({ label: 'Bo (bo@acme.example)' });
  await ana.getByRole('combobox', { name: 'Role', exact: true }).selectOption('manager');
  await button(ana, 'Add').first().click();
  await notice(ana, 'Saved.');
  await ana.getByRole('main').getByRole('link', { name: 'Agents', exact: true }).click();
  await ana.getByRole('checkbox', { name: /Allow agents/ }).check();
  await ana.getByRole('radio', { name: 'tasks: write' }).check();
  await button(ana, 'Save permissions').click();
  await notice(ana, 'Saved.');

  const client = await connectAgent(ana);
  const { workspaces } = await client.call('svc_context', {});
  t.is(workspaces[0].name, 'Apollo');
  const { items } = await client.call('svc_create_items', {
    requestId: crypto.randomUUID(),
    workspaceId: workspaces[0].id,
    items: [{ type: 'task', title: 'Fuel the rocket', fields: { estimatedHours: 12, dueDate: '2199-12-31' } }],
  });
  t.is(items[0].title, 'Fuel the rocket');
  await ownAgents(ana).click();
  await ana.getByRole('link', { name: /^Activity/ }).click();
  const call = ana.getByRole('row', { name: /Laptop.*svc_create_items.*Done/ });
  for (let looks = 0; looks < 50 && !(await call.count()); looks++) await ana.reload();
  t.true(await call.isVisible());
  await ana.getByRole('main').getByRole('link', { name: 'Agents' }).click();
  await ana.locator('.conn summary').first().click();
  await button(ana, 'Revoke').click();
  await ana.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await notice(ana, 'Revoked.');
  await t.throwsAsync(client.call('svc_context', {}), { message: /401|no longer|credential|key/i });
  await client.close();

  await bo.reload();
  await link(bo, 'Apollo').click();
  await bo
    .getByRole('complementary', { name: 'Main' })
    .getByRole('link', { name: /^Requirements/ })
    .click();
  await bo
    .getByRole('link', { name: /^New requirement/ })
    .first()
    .click();
  await bo.getByRole('textbox', { name: 'Title' }).fill('It comes back');
  await bo.getByRole('textbox', { name: 'Target date', exact: true }).fill('2199-06-30');
  await button(bo, 'Create requirement').click();
  await bo.getByRole('status').getByRole('link', { name: 'It comes back' }).click();
  await bo.locator('summary', { hasText: 'Request approval' }).click();
  await button(bo, 'Request approval').click();
  await notice(bo, 'Approval requested.');
  await ana.goto(bo.url().replace(/\?.*/, ''));
  await button(ana, 'Approve').click();
  await notice(ana, 'Approved.');
  await bo.reload();
  t.regex(await bo.locator('.history').innerText(), /Bo requested approval[\s\S]*Ana approved/);

  await link(ana, 'Capacity').click();
  await ana.locator('summary', { hasText: 'All my workspaces' }).click();
  await ana.getByRole('main').getByRole('link', { name: 'Apollo', exact: true }).click();
  const project = ana.locator('details.proj', { hasText: 'It comes back' });
  await project.or(ana.getByRole('link', { name: 'Refresh' })).waitFor();
  for (let looks = 0; looks < 5 && !(await project.count()); looks++) await ana.reload();
  await project.waitFor();
  t.regex(await ana.getByRole('row', { name: /Bo/ }).first().innerText(), /20 h a week/);
});

/** Makes a connection and a real client with its key. */
async function connectAgent(page: Page): Promise<McpClient> {
  await ownAgents(page).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await page.getByRole('radio', { name: 'tasks: write' }).check();
  await button(page, 'Create connection').click();
  await button(page, 'Copy the key').click();
  const key = String(await page.evaluate('navigator.clipboard.readText()'));
  const command = await page.getByText('claude mcp add').innerText();
  const url = /stint (http\S+\/mcp) /.exec(command)![1]!;
  return clients['@modelcontextprotocol/client 2, auto']({ url, key });
}
