/** A person's agents in a browser: activity in place, a new key. agents.db.test.ts covers HTML and forms. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { call } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
let fixtures: Fixtures;
test.before('agents of several people', async () => {
  const permissions = { tasks: 'write', releases: 'read' } as const;
  work = await workWorld(
    database.url,
    { mcp: { enabled: true, limits: { tasks: 'write' } } },
    {
      connections: [
        { ref: 'busy', user: 'vic', name: 'Busy', workspaces: ['apollo'], permissions },
        { ref: 'idle', user: 'vic', name: 'Idle', workspaces: ['apollo'], permissions },
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

async function open(t: ExecutionContext, who: Parameters<typeof emailOf>[0], path = '/mcp-access'): Promise<Page> {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf(who), work.web.baseUrl + path);
  return page;
}

test('the activity is paged to its end and filtered in place', async (t) => {
  await fixtures.sql(
    `insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
     select account_id, user_id, id, $2, case when n % 60 = 0 then 'svc_get_item' else 'svc_find_work' end,
       case when n % 60 = 0 then 'forbidden' else 'ok' end, n from connections, generate_series(1, 120) n where id = $1 order by n`,
    [work.refs.id('busy'), work.refs.id('apollo')],
  );
  const page = await open(t, 'vic');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const rows = page.locator('#activity tbody tr');
  t.is(await rows.count(), 50);
  await expectFitsPhone(t, page);
  for (const left of [50, 20]) {
    await page.getByRole('link', { name: 'Older' }).click();
    await page.locator(`#activity tbody tr:nth-child(${left}):last-child`).waitFor();
  }
  t.is(await page.getByRole('link', { name: 'Older' }).count(), 0);
  await page.getByLabel('Outcome').selectOption('failed');
  await page.locator('#activity tbody tr:nth-child(2):last-child').waitFor();
  t.regex(page.url(), /outcome=failed/);
  await page.getByLabel('Agent').selectOption({ label: 'Idle' });
  await page.getByText('No activity yet', { exact: true }).waitFor();
});

test("a new key's page shows its first call by itself, and each client has its lines and links without the key", async (t) => {
  const page = await open(t, 'eve');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('textbox', { name: 'Name' }).fill('Arriving');
  await page.getByRole('button', { name: 'Create connection' }).click();
  const key = (await page.locator('#new-key').innerText()).trim();
  await page.getByText('Waiting for the first call').waitFor();
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
  await page.getByText('Connected: Arriving made its first call').waitFor();
});

test('a double click makes one connection, with a working key', async (t) => {
  const page = await open(t, 'eve');
  await page.getByRole('textbox', { name: 'Name' }).fill('Twice');
  await page.getByRole('button', { name: 'Create connection' }).dblclick();
  await page.locator('#new-key').waitFor();
  const key = (await page.locator('#new-key').innerText()).trim();
  t.is((await call({ url: `${work.web.baseUrl}/mcp`, key }, 'svc_context', {})).value.connection.name, 'Twice');
  t.is((await fixtures.sql(`select from connections where name = 'Twice'`)).length, 1);
});
