/** The page of an agent's new key in a browser. agents.db.test.ts covers HTML and forms. */
import { expectAccessible } from '../support/browser.ts';
import { call } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const work = workPages({ mcp: { enabled: true, limits: { tasks: 'write' } } });

test("a new key's page shows its first call by itself, and each client has its lines and links without the key", async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/mcp-access`, 'eve');
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
