/** A new user's whole way, only in the browser: from an empty database through the first steps (behaviour §40.6) to a working agent and
 *  a forecast. */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { clients, type McpClient } from '../support/mcpClients.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { ownerPath, startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const browser = fileBrowser();
let web: Web;
test.before('an empty database', async () => {
  web = await startWeb(world.url);
});
test.after('stop', () => web?.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
/** Workspaces contain a part of this name, too. */
const ownAgents = (page: Page) => page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Agents', exact: true });
const notice = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

test('first run: a workspace, a first task, a second person, an agent, a forecast', async (t) => {
  const [ana, bo] = [await browser.page(t, { permissions: ['clipboard-read', 'clipboard-write'] }), await browser.page(t)];

  await ana.goto(web.baseUrl + (await ownerPath(world.url)));
  await expectAccessible(t, ana);
  await expectFitsPhone(t, ana);
  for (const [label, value] of [
    ['Account', 'Acme'],
    ['Your name', 'Ana'],
    ['Your email', 'ana@acme.example'],
    ['Password', PASSWORD],
  ] as const)
    await ana.getByLabel(label).fill(value);
  await button(ana, 'Create account').click();
  // Each step has the focus in its field.
  await ana.getByRole('heading', { name: 'Create a workspace' }).waitFor();
  await expectFitsPhone(t, ana);
  await ana.keyboard.type('Apollo');
  await ana.keyboard.press('Enter');
  await ana.getByRole('heading', { name: 'Who works in Apollo?' }).waitFor();
  t.is(await ana.locator('[aria-current="step"]').innerText(), 'People');
  await expectAccessible(t, ana);
  await expectFitsPhone(t, ana);
  await ana.getByLabel('Email addresses').fill('cleo@acme.example, Dan <dan@acme.example>');
  await button(ana, 'Continue').click();
  await ana.getByText('2 invited').waitFor();
  await link(ana, 'Continue').click();
  await ana.getByRole('heading', { name: 'Add your first task' }).waitFor();
  await ana.keyboard.type('Order paper 4h');
  await ana.keyboard.press('Enter');
  await ana.getByRole('heading', { name: 'Order paper' }).waitFor();
  t.regex(await ana.locator('.props').first().innerText(), /4 h/);
  await ana.getByText('Order paper created').waitFor();

  await link(ana, 'People').click();
  await ana.getByRole('textbox', { name: 'Name', exact: true }).fill('Bo');
  await ana.getByRole('textbox', { name: 'Email' }).fill('bo@acme.example');
  await ana.getByRole('textbox', { name: 'Hours a week', exact: true }).fill('20');
  await button(ana, 'Add').click();
  await button(ana, 'Copy link').click();
  await bo.goto(String(await ana.evaluate('navigator.clipboard.readText()')));
  await bo.getByRole('heading', { name: 'Join Acme' }).waitFor();
  await expectFitsPhone(t, bo);
  await bo.getByLabel('Password').fill(PASSWORD);
  await button(bo, 'Set password and sign in').click();
  await link(bo, 'Manage').click();
  await bo.getByText('No workspaces yet').waitFor();

  await ana.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: 'Settings' }).click();
  await ana.getByRole('main').getByRole('link', { name: 'Members', exact: true }).click();
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
  await bo.getByRole('heading', { name: 'It comes back' }).waitFor();

  await link(ana, 'Capacity').click();
  await ana.locator('summary', { hasText: 'All my workspaces' }).click();
  await ana.getByRole('main').getByRole('link', { name: 'Apollo', exact: true }).click();
  const project = ana.locator('details.proj', { hasText: 'It comes back' });
  await ana.waitForURL(/workspaceId=[1-9]/);
  await ana.getByRole('link', { name: 'Refresh' }).waitFor();
  await runDueJobs(world);
  await ana.reload();
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
