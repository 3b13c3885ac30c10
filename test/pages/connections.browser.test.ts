/** A person's agents in a real browser: what may be chosen and why not more, changing a connection, losing a workspace, the activity. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { call } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
let fixtures: Fixtures;
test.serial.before('agents of several people', async () => {
  const limits = { tasks: 'write', requirements: 'delete', releases: 'delete', milestones: 'none', time: 'write', plans: 'write' } as const;
  const permissions = { tasks: 'write', releases: 'read' } as const;
  work = await workWorld(
    database.url,
    { mcp: { enabled: true, limits }, items: [{ ref: 'task', type: 'task', title: 'Write' }] },
    {
      workspaces: [
        { ref: 'off', name: 'Quiet', members: [{ user: 'mia', role: 'member' }] },
        { ref: 'other', name: 'Other', members: [{ user: 'max', role: 'member' }], mcp: { enabled: true, limits } },
      ],
      connections: [
        {
          ref: 'edited',
          user: 'mia',
          name: 'Laptop',
          workspaces: ['apollo', 'off'],
          permissions,
          timezone: 'Asia/Kathmandu',
          notes: ['read'],
        },
        { ref: 'sent', user: 'max', name: 'Server', workspaces: ['apollo', 'other'], permissions },
        { ref: 'busy', user: 'vic', name: 'Busy', workspaces: ['apollo'], permissions },
        { ref: 'idle', user: 'vic', name: 'Idle', workspaces: ['apollo'], permissions },
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after.always('it ends', async () => {
  await work?.stop();
  await fixtures?.close();
});

const agents = async (page: Page, who: Parameters<typeof emailOf>[0]) => {
  await signIn(page, work.web.baseUrl, emailOf(who));
  await page.goto(`${work.web.baseUrl}/mcp-access`);
};
const tool = (ref: string, name: string, given: object) => call({ url: `${work.web.baseUrl}/mcp`, key: work.refs.key(ref) }, name, given);
const workspacesOf = async (ref: string) => (await tool(ref, 'svc_context', {})).value.workspaces.map(({ name }: { name: string }) => name);

test('a level that could have no effect is disabled, with the reason beside it', async (t) => {
  const page = await browser.page(t);
  await agents(page, 'mia');
  const row = (resource: string) => page.getByRole('row', { name: new RegExp(`^${resource}`) });
  const offered = async (resource: string) => {
    const states = await row(resource)
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => !(one as unknown as { disabled: boolean }).disabled));
    return states.map((on, level) => (on ? 'nrwd'[level] : '')).join('');
  };
  const found: Record<string, [string, string]> = {};
  for (const resource of ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans']) {
    found[resource] = [await offered(resource), (await row(resource).getByRole('rowheader').innerText()).replace(/\s+/g, ' ')];
  }
  t.deepEqual(found, {
    tasks: ['nrw', 'tasks at most write, by the limit of the workspace'],
    requirements: ['nrw', 'requirements at most write, by your own right'],
    releases: ['nr', 'releases at most read, by your own right'],
    // What was chosen stays choosable, so that it can be seen: a new connection starts with read.
    milestones: ['nr', 'milestones at most none, by the limit of the workspace'],
    time: ['nrw', 'time nothing to delete'],
    plans: ['nrw', 'plans nothing to delete'],
  });
  t.true(await page.getByRole('checkbox', { name: /^Quiet MCP is off here/ }).isDisabled());
  for (const resource of Object.keys(found)) t.true(await page.getByRole('radio', { name: `${resource}: read` }).isChecked());
});

test('a connection is changed: name, levels, zone and notes; a workspace that is off just now stays with it', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await agents(page, 'mia');
  const change = { requestId: crypto.randomUUID(), id: work.refs.id('task'), body: 'By the agent' };
  t.false((await tool('edited', 'svc_add_note', change)).isError);
  await page.getByRole('link', { name: /^Laptop/ }).click();
  t.is(await page.getByLabel('Timezone').inputValue(), 'Asia/Kathmandu');
  t.is(await page.getByLabel('Expires').inputValue(), 'keep');
  t.true(await page.getByRole('radio', { name: 'tasks: write' }).isChecked());
  t.true(await page.getByRole('checkbox', { name: 'Read' }).isChecked());
  t.true(await page.getByRole('checkbox', { name: /^Quiet MCP is off here: the agent is shut out/ }).isChecked());
  await page.getByRole('textbox', { name: 'Name' }).fill(' ');
  await page.getByRole('radio', { name: 'tasks: read' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText(/^Name: /)
    .waitFor();
  t.true(await page.getByRole('radio', { name: 'tasks: read' }).isChecked(), 'what was chosen is still chosen');
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop <b>2</b>');
  await page.getByLabel('Timezone').selectOption('Europe/Berlin');
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('checkbox', { name: 'Add' }).check();
  await page.getByRole('checkbox', { name: /^Plain developer language/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { connection, personalNotesEnabled } = (await tool('edited', 'svc_context', {})).value;
  t.like(connection, { name: 'Laptop <b>2</b>', timezone: 'Europe/Berlin', plainLanguage: true });
  t.true(personalNotesEnabled);
  t.is((await tool('edited', 'svc_add_note', { ...change, requestId: crypto.randomUUID() })).value.error.code, 'forbidden');
  await fixtures.sql(
    'update workspaces set mcp_enabled = true, mcp_rights = (select mcp_rights from workspaces where name = $1) where name = $2',
    ['Apollo', 'Quiet'],
  );
  t.deepEqual(await workspacesOf('edited'), ['Apollo', 'Quiet']);
  await page.getByRole('link', { name: /^Laptop/ }).click();
  await page.getByRole('checkbox', { name: 'Quiet' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  t.deepEqual(await workspacesOf('edited'), ['Apollo']);
  t.is((await page.goto(`${work.web.baseUrl}/mcp-access/${work.refs.id('sent')}`))?.status(), 403, 'another person’s is not there');
});

test('an owner sends an agent away: it loses that workspace at once, keeps the others, and its person can not undo it', async (t) => {
  const [ana, max] = [await browser.page(t), await browser.page(t)];
  t.deepEqual(await workspacesOf('sent'), ['Apollo', 'Other']);
  await signIn(ana, work.web.baseUrl, emailOf('ana'));
  await ana.goto(`${work.at}/settings/agents`);
  await ana.getByRole('button', { name: 'Disconnect Server of Max' }).click();
  await expectAccessible(t, ana);
  await ana.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await ana.getByText('The agent is disconnected from this workspace.').waitFor();
  t.deepEqual(await workspacesOf('sent'), ['Other']);
  await agents(max, 'max');
  t.regex(await max.getByRole('article').filter({ hasText: 'Server' }).innerText(), /Apollo \(disconnected by its owner\) and Other/);
  await max.getByRole('link', { name: 'Server' }).click();
  t.true(await max.getByRole('checkbox', { name: /^Apollo Its owner has disconnected/ }).isDisabled());
  await expectAccessible(t, max);
  await max.getByRole('button', { name: 'Save' }).click();
  await max.getByText('Saved.').waitFor();
  t.deepEqual(await workspacesOf('sent'), ['Other']);
});

test('the activity is filtered in place, paged to its end, and tells nobody else’s', async (t) => {
  await fixtures.sql(
    `insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
     select account_id, user_id, id, $2, case when n % 60 = 0 then 'svc_get_item' else 'svc_find_work' end,
       case when n % 60 = 0 then 'forbidden' else 'ok' end, n from connections, generate_series(1, 120) n where id = $1 order by n`,
    [work.refs.id('busy'), work.refs.id('apollo')],
  );
  const page = await browser.page(t);
  await agents(page, 'vic');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const rows = page.locator('#activity tbody tr');
  t.is(await rows.count(), 50);
  t.regex(await rows.first().innerText(), /Busy\s+svc_get_item\s+Tried to read an item in Apollo\s+Today \d\d:\d\d\s+Refused/);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  for (const left of [50, 20]) {
    await page.getByRole('link', { name: 'Older' }).click();
    await page.locator(`#activity tbody tr:nth-child(${left}):last-child`).waitFor();
  }
  t.regex(await rows.last().innerText(), /svc_find_work\s+Looked for work in Apollo\s+Today \d\d:\d\d\s+Done$/);
  t.is(await page.getByRole('link', { name: 'Older' }).count(), 0);
  await page.getByLabel('Outcome').selectOption('failed');
  await page.locator('#activity tbody tr:nth-child(2):last-child').waitFor();
  t.regex(page.url(), /outcome=failed/);
  await page.getByLabel('Agent').selectOption({ label: 'Idle' });
  await page.getByText('Nothing here', { exact: true }).waitFor();
  const plain = await browser.page(t, { javaScriptEnabled: false });
  await agents(plain, 'vic');
  await plain.goto(`${work.web.baseUrl}/mcp-access/activity`);
  await plain.getByLabel('Tool').selectOption('svc_get_item');
  await plain.getByRole('button', { name: 'Filter' }).click();
  t.is(await plain.locator('#activity tbody tr').count(), 2);
  t.is(await plain.getByLabel('Tool').inputValue(), 'svc_get_item');
  const eve = await browser.page(t);
  await signIn(eve, work.web.baseUrl, emailOf('eve'));
  await eve.goto(`${work.web.baseUrl}/mcp-access/activity?connection=${work.refs.id('busy')}`);
  await eve.getByText('Nothing here', { exact: true }).waitFor();
});

test('a new key says by itself that it has arrived, and every client has its lines and links, none with the key', async (t) => {
  const page = await browser.page(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await agents(page, 'eve');
  await page.getByRole('textbox', { name: 'Name' }).fill('Arriving');
  await page.getByRole('button', { name: 'Create the connection' }).click();
  const key = (await page.locator('#new-key').innerText()).trim();
  await page.getByText('Waits for its first call').waitFor();
  for (const name of ['Claude Code', 'Cursor', 'VS Code', 'Gemini CLI', 'Codex', 'opencode', 'mcporter']) {
    await page.getByRole('radio', { name, exact: true }).check();
    await page.getByRole('button', { name: `Copy for ${name}` }).click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    t.regex(copied, /SERVICE_MCP_KEY/, name);
    t.true(copied.includes(`${work.web.baseUrl}/mcp`) && !copied.includes(key), name);
  }
  await page.getByRole('button', { name: 'Copy the variable' }).click();
  t.is(String(await page.evaluate('navigator.clipboard.readText()')), `export SERVICE_MCP_KEY='${key}'`);
  const linkOf = async (name: string) => {
    await page.getByRole('radio', { name, exact: true }).check();
    return (await page.getByRole('link', { name: `Add it to ${name}` }).getAttribute('href'))!;
  };
  const cursor = new URL(await linkOf('Cursor'));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: in the clients' notation
  const headers = { Authorization: 'Bearer ${env:SERVICE_MCP_KEY}' };
  t.deepEqual(JSON.parse(atob(cursor.searchParams.get('config')!)), { url: `${work.web.baseUrl}/mcp`, headers });
  const code = await linkOf('VS Code');
  t.true(code.startsWith('vscode:mcp/install?'));
  t.deepEqual(JSON.parse(decodeURIComponent(code.slice('vscode:mcp/install?'.length))), {
    name: 'stint',
    type: 'http',
    url: `${work.web.baseUrl}/mcp`,
    headers,
  });
  await expectAccessible(t, page);
  await call({ url: `${work.web.baseUrl}/mcp`, key }, 'svc_context', {});
  await page.getByText('Connected: Arriving has called').waitFor();
});

test('a connection is made without script, and one by a double click is one, with a key that works', async (t) => {
  const plain = await browser.page(t, { javaScriptEnabled: false });
  await agents(plain, 'eve');
  await plain.getByRole('textbox', { name: 'Name' }).fill('By hand');
  await plain.getByRole('button', { name: 'Create the connection' }).click();
  const context = async (page: Page) =>
    (await call({ url: `${work.web.baseUrl}/mcp`, key: (await page.locator('#new-key').innerText()).trim() }, 'svc_context', {})).value;
  t.is((await context(plain)).connection.name, 'By hand');
  t.false(await plain.getByRole('button', { name: 'Copy the key' }).isVisible());
  t.true(await plain.getByText('claude mcp add').isVisible());
  // The call above has come by now, or comes within the second in which uses are gathered.
  const look = await plain.getByRole('link', { name: 'Look now' }).getAttribute('href');
  const other = await browser.page(t, { javaScriptEnabled: false });
  await agents(other, 'eve');
  for (let tries = 0; tries < 20 && !(await other.getByText('Connected: By hand has called').isVisible()); tries++) {
    await other.goto(new URL(look!, work.web.baseUrl).href);
  }
  t.true(await other.getByText('Connected: By hand has called').isVisible());
  await plain.reload();
  t.is(await plain.locator('#new-key').count(), 0, 'sent again it shows no key');
  const page = await browser.page(t);
  await agents(page, 'eve');
  await page.getByRole('textbox', { name: 'Name' }).fill('Twice');
  await page.getByRole('button', { name: 'Create the connection' }).dblclick();
  await page.locator('#new-key').waitFor();
  t.is((await context(page)).connection.name, 'Twice');
  await page.goBack();
  await page.goto(`${work.web.baseUrl}/mcp-access`);
  t.is(await page.getByRole('article').filter({ hasText: 'Twice' }).count(), 1);
  t.is(await page.getByRole('article').filter({ hasText: 'By hand' }).count(), 1);
});
