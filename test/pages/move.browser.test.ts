/** Moving items to another workspace on pages, with and without script (behaviour §42). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('two workspaces', async () => {
  const member = (user: string, role: 'owner' | 'member') => ({ user, role });
  work = await workWorld(
    database.url,
    {
      labels: [{ name: 'Paint' }],
      items: [
        { ref: 'harbour', type: 'requirement', title: 'The harbour is open' },
        { ref: 'varnish', type: 'task', title: 'Buy varnish' },
        {
          ...{ ref: 'boat', type: 'task', title: 'Paint the boat', labels: ['Paint'], blockedBy: [{ ref: 'varnish' }] },
          fields: { requirementId: { ref: 'harbour' }, assigneeId: { ref: 'max' } },
        },
        { ref: 'hull', type: 'task', title: 'Sand the hull', fields: { parentItemId: { ref: 'boat' } } },
        { ref: 'one', type: 'task', title: 'First of two' },
        { ref: 'two', type: 'task', title: 'Second of two' },
        { ref: 'plain', type: 'task', title: 'Nothing to lose' },
      ],
    },
    { workspaces: [{ ref: 'hermes', name: 'Hermes', members: [member('ana', 'owner'), member('mia', 'member')] }] },
  );
});
test.after('stop', () => work?.stop());

const there = () => `${work.web.baseUrl}/workspaces/${work.refs.id('hermes')}`;

async function open(t: ExecutionContext, path: string, options = {}, who: 'ana' | 'vic' = 'ana'): Promise<Page> {
  const page = await browser.page(t, options);
  await openAs(page, work.web.baseUrl, emailOf(who), path);
  return page;
}

test('the item’s menu leads to a preview that names all losses; confirming moves it, and its old address leads to the new one', async (t) => {
  const page = await open(t, work.item('boat'));
  await page.getByLabel('More actions').first().click();
  await page.getByRole('link', { name: 'Move to workspace…' }).click();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByRole('heading', { name: 'Move to Hermes' }).waitFor();
  await expectAccessible(t, page);
  const text = await page.locator('main').innerText();
  for (const said of [
    `Requirement: #${work.refs.id('harbour')} “The harbour is open”`,
    `Blocked by: #${work.refs.id('varnish')} “Buy varnish”`,
    'Label “Paint”: Hermes has none of this name.',
    'Assignee: Max is removed, because they can’t be assigned work in Hermes.',
  ])
    t.true(text.includes(said), said);
  await page.getByRole('button', { name: 'Move 2 items' }).click();
  await page.getByRole('heading', { name: 'Paint the boat' }).waitFor();
  await page.locator('#notice .toast').getByText('2 tasks moved').waitFor();
  t.true(page.url().startsWith(`${there()}/items/${work.refs.id('boat')}`));
  await page.getByText('moved this task here from Apollo').waitFor();
  await page.goto(work.item('hull'));
  t.true(page.url().startsWith(`${there()}/items/${work.refs.id('hull')}`), 'the old address leads here');
});

test('without script, on a phone: nothing is lost, so the preview says so, and a second submission changes nothing', async (t) => {
  const page = await open(t, `${work.at}/move?ids=${work.refs.id('plain')}`, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByText('Nothing stays behind or changes.').waitFor();
  await expectFitsPhone(t, page);
  const preview = page.url();
  await page.getByRole('button', { name: 'Move 1 task' }).click();
  await page.getByText(/Nothing to lose moved/).waitFor();
  const answer = await page.goto(preview);
  t.is(answer?.status(), 403, 'the preview of an item that moved is absent');
});

test('the bar of selected items moves several at once and leads back to the list', async (t) => {
  const page = await open(t, `${work.at}?type=task`);
  for (const ref of ['one', 'two']) await page.locator(`input.pick[value^="${work.refs.id(ref)}."]`).check({ force: true });
  await page.locator('form[data-bulk]').getByRole('button', { name: 'Move' }).click();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByRole('button', { name: 'Move 2 tasks' }).click();
  const toast = page.locator('#notice .toast');
  await toast.getByText('2 tasks moved').waitFor();
  t.true(page.url().startsWith(`${work.at}?type=task`));
  t.is(await page.getByText('First of two').count(), 0);
  t.is(await toast.getByRole('link', { name: '2 tasks' }).getAttribute('href'), new URL(there()).pathname);
});

test('a viewer is offered no move, and its page is absent for them', async (t) => {
  const page = await open(t, work.item('varnish'), {}, 'vic');
  t.is(await page.getByText('Move to workspace…').count(), 0);
  const answer = await page.goto(`${work.at}/move?ids=${work.refs.id('varnish')}`);
  t.is(answer?.status(), 403);
});
