/** Lists, boards, items, what-if and Capacity mark people who left (behaviour §24.10). */
import pg from 'pg';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let worker: Spawned | undefined;

async function rows(text: string, values: unknown[]) {
  const client = new pg.Client(database.url);
  await client.connect();
  const found = await client.query(text, values);
  await client.end();
  return found.rows;
}

test.before('a deactivated person and a former member with open tasks', async () => {
  const task = (ref: string, title: string, assignee: string, fields: object = {}) => ({
    ref,
    type: 'task' as const,
    title,
    fields: { assigneeId: { ref: assignee }, releaseId: { ref: 'launch' }, estimatedHours: 4, ...fields },
  });
  const file = oneWorkspace(
    {
      members: ['bo', 'cy'].map((user) => ({ user, role: 'member' as const })),
      items: [
        { ref: 'launch', type: 'release', title: 'Launch', fields: { targetDate: '2999-01-07' } },
        task('mine', 'Mine', 'ana'),
        task('theirs', 'Theirs', 'bo'),
        task('former', 'Former', 'cy'),
        task('unclear', 'Unclear', 'ana', { estimatedHours: null }),
        { ref: 'late', type: 'release', title: 'Late', fields: { targetDate: '2026-01-05' } },
        task('much', 'Much', 'ana', { releaseId: { ref: 'late' }, estimatedHours: 200 }),
      ],
    },
    { users: ['bo', 'cy'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: `${ref} Ames`, password: PASSWORD })) },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  await rows('update users set active = false where id = $1', [refs.id('bo')]);
  await rows('delete from memberships where user_id = $1', [refs.id('cy')]);
  web = await startWeb(database.url);
  worker = spawnNode(['workers/index.ts'], {
    env: { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost' },
  });
  await worker.log({ msg: 'listening' });
});
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
});

const assigneeOf = async (ref: string) => (await rows('select assignee_id from items where id = $1', [refs.id(ref)]))[0].assignee_id;

test('lists, boards and items mark an assignee who is deactivated or left the workspace', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const at = `${web.baseUrl}/workspaces/${refs.id('apollo')}`;
  await page.goto(at);
  const marked = { theirs: 'bo Ames (deactivated)', former: 'cy Ames (left the workspace)' };
  const row = (title: string) => page.locator('.row', { hasText: title });
  t.is(await row('Theirs').getByTitle(marked.theirs).count(), 1);
  t.is(await row('Former').getByTitle(marked.former).count(), 1);
  t.is(await row('Mine').getByTitle('Ana', { exact: true }).count(), 1);
  await page.goto(`${at}?group=assignee`);
  for (const words of Object.values(marked)) t.true(await page.getByRole('heading', { name: words }).isVisible(), words);
  await page.goto(`${at}?view=board&group=assignee`);
  for (const words of Object.values(marked)) t.true(await page.getByRole('heading', { name: words }).isVisible(), words);
  await expectAccessible(t, page);
  await page.goto(`${at}/items/${refs.id('theirs')}`);
  t.true(await page.getByRole('complementary', { name: 'Properties' }).getByText(marked.theirs).isVisible());
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.goto(`${at}/items/${refs.id('former')}/edit`);
  t.is(await page.getByLabel('Assignee').locator('option:checked').textContent(), marked.former);
  await page.goto(`${at}/items/${refs.id('launch')}`);
  t.is(await page.locator('.row', { hasText: 'Theirs' }).getByTitle(marked.theirs).count(), 1);
});

for (const javaScriptEnabled of [true, false]) {
  test(`what-if keeps an assignee who left, ${javaScriptEnabled ? 'with' : 'without'} script: saving an estimate unassigns no one`, async (t) => {
    const page = await browser.page(t, { javaScriptEnabled });
    await openAs(
      page,
      web.baseUrl,
      'ana@acme.example',
      `${web.baseUrl}/capacity/what-if?workspaceId=${refs.id('apollo')}&project=${refs.id('launch')}`,
    );
    const chosen = (title: string) => page.getByLabel(`Assignee of ${title}`).locator('option:checked').textContent();
    t.is(await chosen('Theirs'), 'bo Ames (deactivated)');
    t.is(await chosen('Former'), 'cy Ames (left the workspace)');
    const hours = javaScriptEnabled ? '6' : '7';
    await page.getByLabel('Estimate, h of Theirs').fill(hours);
    await page.getByLabel('Estimate, h of Theirs').blur();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Saved.').waitFor();
    t.is(await assigneeOf('theirs'), String(refs.id('bo')));
    t.is(await assigneeOf('former'), String(refs.id('cy')));
    const [saved] = await rows('select estimated_hours from items where id = $1', [refs.id('theirs')]);
    t.is(Number(saved.estimated_hours), Number(hours));
  });
}

test('Capacity marks people who left, shows the date of the rest with what it leaves out, and names the bottleneck', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const look = async (path: string) => {
    await page.goto(web.baseUrl + path);
    while (await page.getByRole('link', { name: 'Refresh' }).count()) await page.reload();
  };
  await look(`/capacity?workspaceId=${refs.id('apollo')}`);
  const person = (name: string) => page.locator('.heat tbody tr', { hasText: name });
  t.regex((await person('bo Ames').textContent())!, /^\s*BA\s*bo Amesdeactivated[\s–]*$/, 'neither hours nor free time');
  t.regex((await person('cy Ames').textContent())!, /cy Amesleft the workspace/);
  t.regex((await person('Ana').textContent())!, /Ana40 h a week.* free/s);
  const row = (title: string) => page.locator('details.proj', { hasText: title });
  const rest =
    /not include 1 task assigned to bo Ames, who is deactivated\. The date does not include 1 task assigned to cy Ames, who left the workspace\. 1 task has no estimate\./;
  t.regex((await row('Launch').textContent())!, /Needs dataReady /);
  t.regex((await row('Launch').textContent())!, rest);
  t.regex((await row('Launch').textContent())!, /\d+ h left · 0 % of \d+ h done/, 'progress says what it counts');
  t.regex((await row('Late').textContent())!, /Ana has no free time until/);
  await row('Launch').locator('summary').first().click();
  await row('Launch').getByText('2 tasks assigned to people who are deactivated or left the workspace: Theirs, Former').waitFor();
  t.is(await row('Launch').getByRole('img', { name: 'bo Ames (deactivated)' }).count(), 1);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);

  await look(`/workspaces/${refs.id('apollo')}/items/${refs.id('launch')}`);
  const aside = await page.getByRole('complementary', { name: 'Properties' }).textContent();
  t.regex(aside!, /Will be ready/);
  t.regex(aside!, rest);
  await look(`/workspaces/${refs.id('apollo')}?type=release`);
  const cell = page.locator('.row', { hasText: 'Launch' }).getByTitle(rest);
  t.is(await cell.count(), 2, 'the date and the badge');
  await look(`/workspaces/${refs.id('apollo')}?view=timeline`);
  t.is(await page.locator('tr', { hasText: 'Launch' }).getByTitle(rest).count(), 1);
  t.is(await page.locator('tr', { hasText: 'Launch' }).getByTitle(rest).count(), 1);
});

test('the what-if table fits a screen of 1,280 pixels without scrolling', async (t) => {
  const page = await browser.page(t, { viewport: { width: 1280, height: 800 } });
  await openAs(
    page,
    web.baseUrl,
    'ana@acme.example',
    `${web.baseUrl}/capacity/what-if?workspaceId=${refs.id('apollo')}&project=${refs.id('launch')}`,
  );
  const box = page.getByRole('region', { name: 'Tasks that you can change' });
  t.is(await box.evaluate((one) => one.scrollWidth - one.clientWidth), 0);
  for (const control of await box.locator('input:not([type=hidden]), select').all()) {
    const { x, width } = (await control.boundingBox())!;
    t.true(x + width <= 1000, 'it lies beside "Effects"');
  }
  await expectAccessible(t, page);
});
