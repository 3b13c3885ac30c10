/** The settings of a workspace: its members, its words, its agents, its archive. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.serial.before('a workspace', async () => {
  work = await workWorld(
    database.url,
    { items: [{ ref: 'task', type: 'task', title: 'Write', fields: { priorityKey: 'high' } }] },
    {
      workspaces: [
        { ref: 'hers', name: 'Hers', members: [{ user: 'mia', role: 'owner' }], mcp: { enabled: true, limits: { tasks: 'write' } } },
        { ref: 'attic', name: 'Attic', members: [{ user: 'max', role: 'owner' }] },
      ],
      connections: [{ ref: 'agent', user: 'mia', name: 'Laptop', workspaces: ['hers'], permissions: { tasks: 'write' } }],
    },
  );
});
test.after.always('it ends', () => work?.stop());

async function settings(page: Page, who: 'ana' | 'mia' | 'max', ref = 'apollo'): Promise<string> {
  await signIn(page, work.web.baseUrl, emailOf(who));
  const address = `${work.web.baseUrl}/workspaces/${work.refs.id(ref)}/settings`;
  await page.goto(address);
  return address;
}
/** Presses a button and says yes to the question. */
async function confirmed(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button').last().click();
}
const saved = (page: Page, text = 'Saved.') => page.getByRole('status').getByText(text).waitFor();

test('members are added, lowered and removed', async (t) => {
  const page = await browser.page(t);
  await settings(page, 'ana');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('combobox', { name: 'Add from the account' }).selectOption({ label: 'Eve (eve@acme.example)' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await saved(page);
  t.regex(await page.getByRole('row', { name: /Eve/ }).innerText(), /member/);
  await page.getByRole('link', { name: 'Change Eve' }).click();
  await expectAccessible(t, page);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('manager');
  await page.getByRole('combobox', { name: 'releases' }).selectOption('read');
  await page.getByRole('combobox', { name: 'Time oversight' }).selectOption('off');
  await page.getByRole('button', { name: 'Save' }).click();
  await saved(page);
  t.regex(await page.getByRole('row', { name: /Eve/ }).innerText(), /manager\s+releases: read\s+off/);
  await confirmed(page, 'Remove Eve');
  await saved(page, 'Removed.');
  t.is(await page.getByRole('row', { name: /Eve/ }).count(), 0);
  await confirmed(page, 'Remove Ana');
  await page
    .getByRole('alert')
    .getByText(/needs an active owner/)
    .waitFor();
});

test('statuses and priorities are added, renamed, ordered and deleted', async (t) => {
  const page = await browser.page(t);
  await settings(page, 'ana');
  await page.getByText('Add a status').click();
  const adding = page.locator('form[action$="statuses/add"]');
  await adding.getByRole('textbox', { name: 'Name' }).fill('In test');
  await adding.getByRole('combobox', { name: 'Stands for' }).selectOption('in_review');
  await adding.getByRole('button').click();
  await saved(page);
  await page.getByRole('button', { name: 'Move In test up' }).click();
  await saved(page);
  await page.getByRole('textbox', { name: 'Name of the status in_test' }).fill('Testing');
  await page.getByRole('button', { name: 'Rename In test' }).click();
  await saved(page);
  t.regex(await page.getByRole('row', { name: /in_test/ }).innerText(), /in review\s+tasks/);
  await confirmed(page, 'Delete Testing');
  await saved(page, 'Deleted.');
  t.is(await page.getByRole('button', { name: 'Delete Planned' }).count(), 0);
  await page.getByRole('textbox', { name: 'Rank of the priority low' }).fill('x');
  await page.getByRole('button', { name: 'Change Low' }).click();
  await page
    .getByRole('alert')
    .getByText(/^Rank: /)
    .waitFor();
  await page.getByRole('combobox', { name: 'Priority of new tasks' }).selectOption({ label: 'High' });
  await page.getByRole('button', { name: 'Make it the default' }).click();
  await saved(page);
  await page.goto(`${work.at}/new?type=task`);
  t.is(await page.getByRole('combobox', { name: 'Priority' }).inputValue(), 'high');
});

test('an owner says what agents may do, and sends one away', async (t) => {
  const page = await browser.page(t);
  await settings(page, 'mia', 'hers');
  t.true(await page.getByRole('checkbox', { name: /Let agents work/ }).isChecked());
  await page.getByRole('radio', { name: 'tasks: delete' }).check();
  await page.getByRole('radio', { name: 'time: write' }).check();
  await page.getByRole('button', { name: 'Save what agents may do' }).click();
  await saved(page);
  t.true(await page.getByRole('radio', { name: 'tasks: delete' }).isChecked());
  t.true(await page.getByRole('radio', { name: 'releases: none' }).isChecked());
  await confirmed(page, 'Disconnect Laptop of Mia');
  await saved(page, 'The agent is disconnected from this workspace.');
  t.regex(await page.getByRole('row', { name: /Laptop/ }).innerText(), /disconnected Today/);
});

test('an archived workspace is gone for its members and comes back from its settings', async (t) => {
  const page = await browser.page(t);
  const address = await settings(page, 'max', 'attic');
  await page.getByRole('textbox', { name: 'Name of the workspace' }).fill('The attic');
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await saved(page);
  await confirmed(page, 'Archive the workspace');
  await page.getByText('This workspace is archived').waitFor();
  t.is((await page.goto(address.replace('/settings', '')))?.status(), 403);
  await page.goto(`${work.web.baseUrl}/workspaces`);
  await page.getByRole('link', { name: 'The attic' }).click();
  await confirmed(page, 'Bring back from the archive');
  await page.getByRole('link', { name: 'The attic' }).click();
  t.regex(await page.locator('.crumbs').innerText(), /The attic/);
});

test('an administrator runs a workspace without being in it', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  await page.goto(`${work.web.baseUrl}/workspaces`);
  await page.getByRole('link', { name: 'Hers' }).click();
  await page.getByRole('heading', { name: 'Settings of Hers' }).waitFor();
  t.is(await page.getByRole('row', { name: /Mia/ }).first().isVisible(), true);
});
