/** An item's pages: making, showing, changing and archiving it, and its comments. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const HOSTILE = `<script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'"> "quoted" 'single' &amp;`;

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.serial.before('a workspace with work', async () => {
  work = await workWorld(database.url, {
    name: `Apollo ${HOSTILE}`,
    statuses: [{ key: 'odd', label: HOSTILE, types: ['requirement', 'goal'], status: 'in_progress' }],
    priorities: [{ key: 'odd', label: HOSTILE, rank: 9 }],
    items: [
      { ref: 'goal', type: 'goal', title: HOSTILE, fields: { statusKey: 'odd', priorityKey: 'odd', unit: HOSTILE, level: HOSTILE } },
      { ref: 'spare', type: 'task', title: 'Not needed' },
      { ref: 'milestone', type: 'milestone', title: 'Regatta' },
      { ref: 'release', type: 'release', title: 'Summer', fields: { versionLabel: '2.0' } },
      { ref: 'requirement', type: 'requirement', title: 'Tickets without a network', fields: { releaseId: { ref: 'release' } } },
      { ref: 'task', type: 'task', title: 'Write it down', fields: { requirementId: { ref: 'requirement' } } },
      {
        ref: 'hostile',
        type: 'requirement',
        title: HOSTILE,
        description: `\n${HOSTILE}`,
        fields: { acceptance: HOSTILE, goalId: { ref: 'goal' } },
      },
    ],
    comments: [{ item: 'hostile', author: 'mia', body: HOSTILE }],
  });
});
test.after.always('it ends', () => work?.stop());

const facts = (page: Page) => page.getByRole('complementary', { name: 'Properties' }).innerText();

test('a member creates a task with the fields that apply, sees it with its links, and changes it', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(work.at);
  await page.getByRole('main').getByRole('link', { name: 'New task' }).click();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  t.is(await page.getByLabel('Reach', { exact: true }).count(), 0);
  await page.getByRole('textbox', { name: 'Title' }).fill('Rehearse');
  await page.getByRole('textbox', { name: 'Description' }).fill('\nFirst line empty\n  indented');
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption({ label: 'Mia' });
  // What is not needed each time is folded away.
  t.false(await page.getByLabel('Start', { exact: true }).isVisible());
  t.false(await page.getByLabel('Blocked by').isVisible());
  await page.locator('summary', { hasText: 'Time' }).click();
  await page.getByLabel('Start', { exact: true }).fill('2026-03-09');
  await page.getByLabel('Due', { exact: true }).fill('2026-03-02');
  await page.getByRole('combobox', { name: 'Requirement' }).selectOption({ label: 'Tickets without a network' });
  await page.getByRole('button', { name: 'Create the task' }).click();
  await page.getByRole('alert').getByText('Start: must not be after Due.').waitFor();
  t.is(await page.getByRole('textbox', { name: 'Description' }).inputValue(), '\nFirst line empty\n  indented');
  t.true(await page.locator('#startDate').isVisible(), 'what is at fault is not folded away');
  t.true(await page.getByRole('button', { name: 'Create the task' }).isVisible());
  await page.getByLabel('Due', { exact: true }).fill('2026-03-20');
  await page.getByRole('button', { name: 'Create the task' }).click();
  await page.getByText('Created.').waitFor();
  t.regex(await facts(page), /Mia/);
  t.deepEqual(await page.locator('.panel time[datetime^="2026-03"]').evaluateAll((all) => all.map((one) => one.getAttribute('datetime'))), [
    '2026-03-09',
    '2026-03-20',
  ]);
  t.regex(await page.locator('.title .prose').innerText(), /^First line empty\n\s*indented$/);
  await page.getByRole('link', { name: 'Edit' }).click();
  t.is(await page.getByRole('textbox', { name: 'Description' }).inputValue(), '\nFirst line empty\n  indented');
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Blocked' });
  await page.getByLabel('Blocked by').fill('Rain');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  t.regex(await facts(page), /Blocked.*Rain/s);
  await page.getByRole('link', { name: 'Tickets without a network' }).first().click();
  await page.getByRole('link', { name: 'Rehearse', exact: true }).waitFor();
});

test('everything works without script', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(`${work.at}/new?type=task`);
  await page.getByRole('textbox', { name: 'Title' }).fill('By hand');
  await page.getByRole('button', { name: 'Create the task' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('By hand, too');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('No script **here**');
  await page.getByRole('button', { name: 'Comment' }).click();
  t.is(await page.locator('.say .prose').innerText(), 'No script here');
  await page.getByText('Log time').click();
  await page.getByRole('textbox', { name: 'How long, or from when to when' }).fill('1h30 reading');
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await page.getByText('The time is logged.').waitFor();
  t.regex(await facts(page), /Recorded by you\s+1 h 30/);
});

test('a conflict shows both texts side by side, keeps what each has changed alone, and loses nothing', async (t) => {
  const [mine, theirs] = [await browser.page(t), await browser.page(t)];
  await signIn(mine, work.web.baseUrl, emailOf('mia'));
  await signIn(theirs, work.web.baseUrl, emailOf('max'));
  for (const page of [mine, theirs]) await page.goto(`${work.item('task')}/edit`);
  await theirs.getByRole('textbox', { name: 'Description' }).fill('Theirs: tie the knots');
  await theirs.getByRole('textbox', { name: 'Estimate (hours)' }).fill('5');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await theirs.getByText('Saved.').waitFor();
  await mine.getByRole('textbox', { name: 'Title' }).fill('Write it all down');
  await mine.getByRole('textbox', { name: 'Description' }).fill('Mine: count the knots');
  const answer = mine.waitForResponse((response) => response.status() === 409);
  await mine.getByRole('button', { name: 'Save' }).click();
  await answer;
  await mine.getByRole('heading', { name: 'Changed in the meantime' }).waitFor();
  await expectAccessible(t, mine);
  await expectFitsPhone(t, mine);
  const both = mine.getByRole('region', { name: 'Description' });
  t.deepEqual(await both.locator('.text').allInnerTexts(), ['Theirs: tie the knots', 'Mine: count the knots']);
  t.is(await mine.getByRole('textbox', { name: 'Description' }).inputValue(), 'Mine: count the knots');
  t.is(await mine.getByRole('textbox', { name: 'Title' }).inputValue(), 'Write it all down');
  t.is(await mine.getByRole('textbox', { name: 'Estimate (hours)' }).inputValue(), '5');
  await mine.getByRole('textbox', { name: 'Description' }).fill('Ours: tie and count the knots');
  await mine.getByRole('button', { name: 'Save over what is stored now' }).click();
  await mine.getByText('Saved.').waitFor();
  t.regex(await mine.locator('main').innerText(), /Write it all down.*Ours: tie and count the knots.*5 h/s);
});

test('a form sent twice changes once and is no conflict', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(`${work.item('requirement')}/edit`);
  const again = await page.context().newPage();
  await again.goto(`${work.item('requirement')}/edit`);
  for (const tab of [page, again]) {
    await tab.getByRole('textbox', { name: 'Acceptance criteria' }).fill('Opens in the aeroplane');
    await tab.getByRole('button', { name: 'Save' }).click();
    await tab.getByText('Saved.').waitFor();
  }
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('Once only');
  await page.getByRole('button', { name: 'Comment' }).dblclick();
  await page.getByText('Comment added.').waitFor();
  await page.goto(work.item('requirement'));
  t.is(await page.getByText('Once only').count(), 1);
});

test('markup in any text is text', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  for (const address of [
    work.item('hostile'),
    work.item('goal'),
    `${work.at}?type=goal`,
    `${work.item('hostile')}/edit`,
    `${work.at}?type=requirement`,
    `${work.at}/settings/statuses`,
    `${work.web.baseUrl}/workspaces`,
  ]) {
    await page.goto(address);
    t.true((await page.locator('main').innerHTML()).includes('&lt;script&gt;'), address);
    t.is(await page.locator('main script, main img').count(), 0, address);
    t.false((await page.title()).startsWith('broken'), address);
  }
  await page.goto(work.item('hostile'));
  t.is(await page.getByRole('article').getByRole('heading', { level: 2 }).first().textContent(), HOSTILE);
  // Markdown knows entities.
  t.is(await page.locator('.say .prose').textContent(), `${HOSTILE.replace('&amp;', '&')}\n`);
});

test('people are offered while a mention is typed, and reached by the keyboard; the inbox is accessible', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  await page.goto(work.item('goal'));
  const field = page.getByRole('textbox', { name: 'Add a comment' });
  await field.pressSequentially('mia@example, look @mi');
  const offer = page.getByRole('group', { name: 'People to mention' });
  await offer.getByRole('button', { name: 'Mia' }).waitFor();
  await expectAccessible(t, page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  t.is(await field.inputValue(), 'mia@example, look @Mia ');
  t.is(await offer.getByRole('button').count(), 0);
  await page.keyboard.type('there');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByText('Comment added.').waitFor();
  for (const address of ['/notifications?show=all', '/settings/notifications']) {
    await page.goto(work.web.baseUrl + address);
    await expectAccessible(t, page);
    await expectFitsPhone(t, page);
  }
});

test('what is typed stays while a value is changed where it stands, is sent by Ctrl+Enter, and leaves its box', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('max'));
  await page.goto(work.item('milestone'));
  const field = page.getByRole('textbox', { name: 'Add a comment' });
  await field.fill('Half a thought');
  await page.getByRole('link', { name: 'Change status of Regatta' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /In progress/ })
    .click();
  await page.locator('.panel .st-in_progress').waitFor();
  await page.locator('.ev', { hasText: 'moved status from' }).waitFor();
  t.is(await field.inputValue(), 'Half a thought');
  await field.press('End');
  await field.pressSequentially(', and the other');
  await field.press('Control+Enter');
  await page.locator('.say', { hasText: 'Half a thought, and the other' }).waitFor();
  t.is(await field.inputValue(), '');
  await field.fill('Another one');
  await field.press('Control+Enter');
  await page.locator('.say', { hasText: 'Another one' }).waitFor();
  t.is(await page.locator('.say').count(), 2);
  await expectAccessible(t, page);
});

test('a viewer reads, and is offered nothing to change', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('vic'));
  await page.goto(work.item('requirement'));
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  // Watching changes nothing of the item.
  t.is(await page.locator('main form:not([action$="/watch"])').count(), 0);
  t.is(await page.getByRole('link', { name: 'Edit' }).count(), 0);
  t.is((await page.goto(`${work.item('requirement')}/edit`))?.status(), 403);
  t.is((await page.goto(`${work.at}/new?type=task`))?.status(), 403);
});

test('an item is archived after a question, unless open work hangs on it', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  const archive = async () => {
    await ask();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  };
  const ask = async () => {
    const menu = page.locator('#head details.pop');
    if ((await menu.getAttribute('open')) === null) await menu.locator('> summary').click();
    await page.getByRole('button', { name: 'Archive' }).click();
  };
  await page.goto(work.item('release'));
  await ask();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await archive();
  await page
    .getByRole('alert')
    .getByText(/Tickets without a network/)
    .waitFor();
  await page.goto(work.item('spare'));
  await archive();
  await page.getByText('Archived.').waitFor();
  await page.goto(work.item('spare'));
  await page.getByText(/This task was archived by Ana/).waitFor();
  t.is(await page.getByRole('link', { name: 'Edit' }).count(), 0);
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
});
