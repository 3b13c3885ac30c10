/** My day and the week grid in a real browser: changes in place. my.db.test.ts and undoTime.db.test.ts cover the rest. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, fileBrowser, setSession } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { assignedTask, workspaceOfPeople } from '../support/people.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;

const people = ['ana', 'bo', 'dan'] as const;
const cookies = new Map<string, string>();
const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

test.before('an account with a task for each person', async () => {
  const file = workspaceOfPeople(
    people,
    {
      members: ['bo', 'dan'].map((user) => ({ user, role: 'member' as const })),
      planBlocks: [
        { user: 'dan', item: 'task-dan-0', startLocal: `${later}T09:00`, endLocal: `${later}T10:30`, state: 'scheduled' as const },
      ],
      items: people.flatMap((user) =>
        ['Write words', 'Ask the harbour'].map((title, n) =>
          assignedTask(user, `task-${user}-${n}`, `${title} for ${user}`, { estimatedHours: 4, dueDate: n ? '2020-01-02' : null }),
        ),
      ),
    },
    {},
    { timezone: 'Europe/Berlin' },
  );
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  for (const person of people) cookies.set(person, (await signedIn(web.baseUrl, `${person}@acme.example`)).cookie);
});
test.after('stop', () => web?.stop());

async function open(t: ExecutionContext, person: (typeof people)[number], path = '/'): Promise<Page> {
  const page = await browser.shared(t);
  await page.setViewportSize({ width: 1280, height: 720 });
  await setSession(page, web.baseUrl, cookies.get(person)!);
  await page.goto(web.baseUrl + path);
  return page;
}
const rows = (text: string, ...values: unknown[]) => rowsAt(database.url, text, values);
const notice = (page: Page, text: string | RegExp) => page.locator('#notice').getByText(text).waitFor();

test('the timer starts and switches in a row, in place, and continues by Undo after it was stopped', async (t) => {
  const page = await open(t, 'ana');
  const row = (n: number) => page.locator(`[data-item="${refs.id(`task-ana-${n}`)}"]`);
  const [first, second] = [row(0), row(1)];
  await first.hover();
  await first.getByRole('button', { name: /Start timer/ }).click();
  await notice(page, 'Timer started.');
  await page.locator('#timer').getByText('Write words for ana').waitFor();
  t.is(await page.locator('.blk.live').count(), 1, 'the agenda shows it');
  await second.hover();
  await second.getByRole('button', { name: /Switch timer/ }).click();
  await page.locator('#timer').getByText('Ask the harbour for ana').waitFor();
  await page.getByRole('button', { name: 'Stop the timer' }).first().click();
  await page.locator('#timer[hidden]').waitFor({ state: 'attached' });
  await notice(page, 'Timer stopped: 0 min');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Undone.');
  await page.locator('#timer').getByText('Ask the harbour for ana').waitFor();
});

test('the line shows its meaning while typing without moving the list, works before that, asks in place, and Z undoes it', async (t) => {
  const page = await open(t, 'bo');
  const line = page.getByLabel('Add a task, or log or plan time');
  const before = (await page.locator('#work').boundingBox())!.y;
  await line.fill('45m on words yesterday');
  await page.locator('#line-said mark', { hasText: 'Write words for bo' }).waitFor();
  t.regex(await page.locator('#line-said').innerText(), /Logs\s+45 min/);
  t.is((await page.locator('#work').boundingBox())!.y, before);
  await expectAccessible(t, page);
  await line.press('Enter');
  await notice(page, 'Logged 45 min');
  t.is(await line.inputValue(), '');
  await line.blur();
  await page.keyboard.press('z');
  await notice(page, 'Undone.');
  await line.focus();
  await page.keyboard.type('30m words');
  // The preview of this line may come after the answer, and must not replace it.
  const answers = Promise.all(
    ['GET', 'POST'].map((method) =>
      page.waitForResponse((answer) => answer.request().method() === method && new URL(answer.url()).pathname.endsWith('/my/line')),
    ),
  );
  await page.keyboard.press('Enter');
  await answers;
  await page.getByText('Choose what to do').waitFor();
  t.is(await page.locator('h1').innerText(), 'My day');
  t.is(await line.inputValue(), '30m words');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await notice(page, /Logged 30 min on \d+ Write words for bo/);
  t.is(new URL(page.url()).pathname, '/stint/');
});

test('the week grid works like a spreadsheet: keys move, sums follow, and a row is added at the end', async (t) => {
  const page = await open(t, 'bo', '/my/timesheet?week=2026-03-02');
  const work = page.getByLabel('Item of new row 1');
  await work.fill(`#${refs.id('task-bo-0')}`);
  await work.press('Enter');
  await page.keyboard.type('1:30');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('45m');
  t.is(await page.locator('[data-sum=row]').first().innerText(), '2:15');
  await page.keyboard.press('Enter');
  t.is(await page.evaluate(`document.activeElement?.getAttribute('aria-label')`), 'New row 2, Tue 3');
  await page.keyboard.type('2');
  t.is(await page.locator('[data-week]').innerText(), '4 h 15 min');
  t.is(await page.locator('[data-new]').count(), 3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  t.is(await page.evaluate(`document.activeElement?.getAttribute('aria-label')`), 'New row 1, Mon 2');
  await page.keyboard.press('Control+Enter');
  await notice(page, 'Saved.');
  t.is(await page.locator('[data-week]').innerText(), '2 h 15 min', 'Escape has emptied the cell');
});

test('the mouse drags a planned block to another time, Z undoes it, and Escape or a refusal puts it back', async (t) => {
  const page = await open(t, 'dan', `/?day=${later}`);
  const block = page.locator('.blk.plan');
  const times = async () => {
    const [row] = await rows('select start_local, end_local from plan_blocks where user_id = $1', refs.id('dan'));
    return [row.start_local, row.end_local].map((local) => local.slice(11)).join('–');
  };
  const drag = async (quarters: number) => {
    const { x, y, width, height } = (await block.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2 + quarters * 15, { steps: 5 });
  };
  await drag(5);
  t.is(await block.locator('span').innerText(), '10:15–11:45', 'it shows its new time');
  await page.mouse.up();
  await notice(page, '10:15–11:45');
  t.is(await times(), '10:15–11:45');
  t.is(new URL(page.url()).pathname, '/stint/', 'the click after it opens nothing');
  t.is(await block.getAttribute('style'), null);
  t.regex((await block.getAttribute('class'))!, / q10 n6/, 'two hours and a quarter after eight');

  await page.keyboard.press('z');
  await notice(page, 'Undone.');
  t.is(await times(), '09:00–10:30');
  await page.locator('.blk.plan.q5').waitFor();

  await drag(-20);
  t.is(await block.locator('span').innerText(), '08:00–09:30', 'not beyond the hours shown');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  t.regex(await block.locator('span').innerText(), /^09:00–10:30/);

  await rows('update plan_blocks set revision = revision + 1 where user_id = $1', refs.id('dan'));
  await drag(4);
  await page.mouse.up();
  await page.locator('#notice .notice.error, #notice [role="alert"]').first().waitFor();
  t.is(await times(), '09:00–10:30');
  await page.locator('.blk.plan.q5').waitFor();
});
