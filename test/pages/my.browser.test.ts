/** /my in a real browser: timer, entries, blocks, notifications. */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { openAs, workspaceOfPeople } from '../support/people.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const hostile = `<script>document.title='broken'</script>`;
const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let pool: pg.Pool;

const people = ['ana', 'bo', 'cleo', 'dan', 'eve', 'fay', 'gus'];

test.serial.before('an account whose people have a task each', async () => {
  const viewers = ['hal', 'ivy'];
  const file = workspaceOfPeople(
    [...people, ...viewers],
    {
      members: [
        ...people.slice(1).map((user) => ({ user, role: 'member' as const })),
        ...viewers.map((user) => ({ user, role: 'viewer' as const })),
      ],
      items: people.map((user) => ({
        ref: `task-${user}`,
        type: 'task' as const,
        title: `Write ${hostile} for ${user}`,
        fields: { assigneeId: { ref: user } },
      })),
    },
    {
      workspaces: [
        {
          ref: 'boats',
          name: 'Boats',
          members: [
            { user: 'ana', role: 'owner' },
            { user: 'hal', role: 'member' },
          ],
          items: [{ ref: 'row', type: 'task', title: 'Write to the boatyard' }],
        },
      ],
    },
    { timezone: 'Europe/Berlin' },
  );
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
});
test.after.always('stop', async () => {
  await web?.stop();
  await pool?.end();
});

/** /my of a person of their own, so that tests do not meet. */
const open = (t: ExecutionContext, person: string, options: { script?: boolean } = {}): Promise<Page> =>
  openAs(t, { browser, baseUrl: web.baseUrl, person, path: '/my', ...options });

const choose = (person: string) => ({ value: String(refs.id(`task-${person}`)) });
const notice = (page: Page) => page.locator('.notice').textContent();
const entries = (page: Page) => page.locator('.note-list').first();

async function log(page: Page, person: string, minutes: string, note = ''): Promise<void> {
  await page.getByText('Log time by hand').click();
  const form = page.locator('form[action$="/entries/log"]');
  await form.getByLabel('Work').selectOption(choose(person));
  await form.getByLabel('Minutes').fill(minutes);
  await form.getByLabel('Note').fill(note);
  await form.getByRole('button', { name: 'Log' }).click();
}

test('a timer is started, annotated and stopped, and a second one is not begun beside it', async (t) => {
  const page = await open(t, 'ana');
  await page.locator('.timer').getByLabel('Work').selectOption(choose('ana'));
  await page.getByRole('button', { name: 'Start timer' }).click();
  t.is(await notice(page), 'The timer runs.');
  await page.locator('.timer').getByLabel('Note').fill(`first ${hostile}`);
  await page.getByRole('button', { name: 'Save the note' }).click();
  t.is(await notice(page), 'Saved.');
  t.is(await page.locator('.timer').getByLabel('Note').inputValue(), `first ${hostile}`);
  await expectAccessible(t, page);

  // Another tab, in which the timer was not running yet.
  const csrf = await page.locator('input[name=_csrf]').first().inputValue();
  const second = await page.request.post(`${web.baseUrl}/my/timer/start`, {
    form: { _csrf: csrf, itemId: String(refs.id('task-ana')) },
    headers: { Origin: new URL(web.baseUrl).origin },
  });
  t.is(second.status(), 409);
  t.regex(await second.text(), /nothing was switched/);

  await page.getByRole('button', { name: 'Stop timer' }).click();
  t.is(await notice(page), 'The timer is stopped.');
  t.true(await page.getByRole('button', { name: 'Start timer' }).isVisible());
  const { rows } = await pool.query('select note, minutes from time_entries where user_id = $1', [refs.id('ana')]);
  t.deepEqual(rows, [{ note: `first ${hostile}`, minutes: 0 }]);
});

test('time is logged by hand and corrected with a reason, and texts are shown as texts', async (t) => {
  const page = await open(t, 'bo');
  await log(page, 'bo', '90', hostile);
  t.is(await notice(page), 'Created.');
  t.true((await entries(page).textContent())!.includes(hostile), 'the note is shown as it was typed');
  t.true((await entries(page).textContent())!.includes('1 h 30 min'));
  t.is(await page.title(), 'My work · Stint');

  await page.getByText('Note or correct').click();
  const form = page.locator('form[action$="/entries/correct"]');
  await form.getByLabel('Minutes').fill('45');
  await form.getByLabel('Reason').fill('half of it was lunch');
  await form.getByRole('button', { name: 'Correct' }).click();
  t.is(await notice(page), 'Saved.');
  t.regex((await entries(page).textContent())!, /45 min[\s\S]*corrected/);
  const { rows } = await pool.query(
    'select v.minutes, v.reason from time_entry_versions v join time_entries e on e.id = v.entry_id where e.user_id = $1',
    [refs.id('bo')],
  );
  t.deepEqual(rows, [{ minutes: 90, reason: 'half of it was lunch' }]);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);

  await page.getByRole('link', { name: 'Week before' }).click();
  t.true(await page.getByText('Nothing recorded in this week.').isVisible());
  await page.getByRole('link', { name: 'This week' }).click();
  t.regex((await entries(page).textContent())!, /45 min/);
});

test('what is refused is told, and what was typed stays', async (t) => {
  const page = await open(t, 'cleo', { script: false });
  const form = page.locator('form[action$="/entries/log"]');
  await log(page, 'cleo', '1440');
  await log(page, 'cleo', '30', 'kept words');
  t.regex((await page.getByRole('alert').textContent())!, /^Minutes: .* already holds 1440 minutes/);
  t.is(await form.getByLabel('Note').inputValue(), 'kept words');
  t.is(await form.getByLabel('Minutes').inputValue(), '30');
});

test('a block is planned, started and cancelled, all without script', async (t) => {
  const page = await open(t, 'dan', { script: false });
  for (const [start, end] of [
    ['2199-01-07T09:00', '2199-01-07T11:00'],
    ['2199-01-08T22:00', '2199-01-09T01:00'],
  ] as const) {
    await page.goto(`${web.baseUrl}/my?week=2199-01-07`);
    await page.getByText('Plan a block').click();
    const form = page.locator('form[action$="/blocks/create"]');
    await form.getByLabel('Work').selectOption(choose('dan'));
    await form.getByLabel('Start', { exact: true }).fill(start);
    await form.getByLabel('End', { exact: true }).fill(end);
    await form.getByLabel('Remind me 10 minutes before the start').check();
    await form.getByRole('button', { name: 'Plan' }).click();
    t.is(await notice(page), 'Created.');
  }
  const text = await page.locator('.note-list').textContent();
  t.true(text!.includes('Mon 2199-01-07, 09:00–11:00') && text!.includes('Tue 2199-01-08, 22:00–2199-01-09 01:00'), text!);
  t.true(text!.includes('Europe/Berlin, reminds of the start'));

  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  t.is(await notice(page), 'The timer runs.');
  t.true(await page.getByRole('button', { name: 'Stop timer' }).isVisible());
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await page.getByRole('button', { name: 'Yes, go on' }).click();
  t.is(await notice(page), 'Saved.');
  const { rows } = await pool.query('select state from plan_blocks where user_id = $1 order by id', [refs.id('dan')]);
  t.deepEqual(
    rows.map(({ state }) => state),
    ['running', 'cancelled'],
  );
  await page.goto(`${web.baseUrl}/my?week=not-a-week`);
  t.regex((await page.getByRole('alert').textContent())!, /date/);
});

test('notifications are shown until they are marked as read', async (t) => {
  await pool.query(
    `with entry as (
       insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
       select account_id, workspace_id, $1, id, 'timer', now() - interval '9 hours', (now() - interval '9 hours')::date from items where id = $2
       returning *)
     insert into notifications (account_id, workspace_id, user_id, kind, entry_id, due_at)
     select account_id, workspace_id, user_id, 'timer_long', id, now() from entry`,
    [refs.id('eve'), refs.id('task-eve')],
  );
  const page = await open(t, 'eve');
  t.true(await page.getByText(/New: Your timer on/).isVisible());
  t.regex((await page.locator('.timer time[data-since]').textContent())!, /9 h/);
  await expectAccessible(t, page);
  await page.getByRole('button', { name: 'Mark as read' }).click();
  t.is(await notice(page), 'Marked as read.');
  t.is(await page.getByText(/New: /).count(), 0);
});

test('somebody else’s entries and blocks are out of reach, and so is a form without its CSRF value', async (t) => {
  const page = await open(t, 'fay');
  const csrf = await page.locator('input[name=_csrf]').first().inputValue();
  const { rows } = await pool.query(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
     select account_id, workspace_id, $1, id, 'manual', current_date - 20, 5 from items where id = $2 returning id`,
    [refs.id('bo'), refs.id('task-bo')],
  );
  const post = async (form: Record<string, string>) => {
    const answer = await page.request.post(`${web.baseUrl}/my/entries/annotate`, {
      form,
      headers: { Origin: new URL(web.baseUrl).origin },
    });
    return answer.status();
  };
  t.is(await post({ _csrf: csrf, entryId: String(rows[0].id), revision: '1', note: 'mine now' }), 403);
  t.is(await post({ entryId: '1', revision: '1', note: 'no value' }), 403);
});

test('a timer is started and stopped on the page of an item, too', async (t) => {
  const page = await open(t, 'gus');
  const item = `${web.baseUrl}/workspaces/${refs.id('apollo')}/items/${refs.id('task-gus')}`;
  await page.goto(item);
  await page.getByRole('button', { name: 'Start timer' }).click();
  await page.getByText('running for').waitFor();
  t.is(page.url(), `${item}?notice=started`);
  await page.goto(`${web.baseUrl}/workspaces/${refs.id('apollo')}/items/${refs.id('task-bo')}`);
  t.true(await page.getByRole('link', { name: 'Your timer runs elsewhere' }).isVisible());
  await page.goto(item);
  await page.getByRole('button', { name: 'Stop timer' }).click();
  await page.getByRole('button', { name: 'Start timer' }).waitFor();
  await expectAccessible(t, page);
  await page.getByRole('link', { name: 'Log or plan time' }).click();
  t.is(await page.locator('form[action$="/entries/log"]').getByLabel('Work').inputValue(), String(refs.id('task-gus')));
});

test('work that is not assigned to me is found by its words', async (t) => {
  const page = await open(t, 'fay');
  const select = page.locator('.timer select');
  t.false((await select.textContent())!.includes('for bo'));
  await page.getByLabel('Find other open work').fill('for bo');
  await page.getByRole('button', { name: 'Find' }).click();
  t.true((await select.textContent())!.includes('for bo'));
  await page.goto(`${web.baseUrl}/my?workspaceId=${refs.id('apollo')}&itemId=${refs.id('task-bo')}`);
  t.is(await select.inputValue(), String(refs.id('task-bo')));
});

test('forms offer work in workspaces where time may be recorded, and who may record none is told so', async (t) => {
  const both = await open(t, 'hal');
  await both.goto(`${web.baseUrl}/my?find=write`);
  const timer = both.locator('form[action$="/timer/start"]');
  const offered = (await timer.getByLabel('Work').locator('option').allInnerTexts()).slice(1);
  t.deepEqual(offered, [`Write to the boatyard (#${refs.id('row')})`]);
  await timer.getByLabel('Work').selectOption({ value: String(refs.id('row')) });
  await timer.getByRole('button', { name: 'Start timer' }).click();
  await both.getByRole('button', { name: 'Stop timer' }).waitFor();

  const looking = await open(t, 'ivy');
  t.true(await looking.getByText('No workspace lets you record time.').isVisible());
  t.is(await looking.locator('main').getByRole('button').count(), 0);
  await expectAccessible(t, looking);
});
