/** Title and texts of an item, edited where they stand (behaviour §21.12–21.14). */
import { expectAccessible, expectFitsPhone, waitUntil } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const description = 'First *line*\n\n[ref]: https://a.example\n\n- [ ] cut\n- [x] sew\n';
const work = workPages({ items: [{ ref: 'task', type: 'task', title: 'Sew', description }] });

const stored = async (): Promise<{ title: string; description: string; version: number }> =>
  (await work.rows('select title, description, version from items where id = $1', [work.refs.id('task')]))[0];

test('a click edits the title at its place: Enter saves, Escape restores', async (t) => {
  const page = await work.open(t, work.item('task'));
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await heading.click();
  const field = page.getByRole('textbox', { name: 'Title' });
  t.deepEqual(await field.boundingBox(), before);
  await field.fill('Thrown away');
  await field.press('Escape');
  t.is(await heading.innerText(), 'Sew');
  await page.keyboard.press('e');
  await field.fill('Sew\nsails');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sew sails' }).waitFor();
  t.is((await stored()).title, 'Sew sails');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sew', exact: true }).waitFor();
  // The key has opened the description, too.
  await page.locator('.in-place-description .ProseMirror').press('Escape');
});

test('a ticked box is saved at once; the editor changes only the edited block, and keeps a draft over a reload', async (t) => {
  const page = await work.browser.shared(t);
  const before = await stored();
  await page.getByRole('checkbox', { name: 'cut' }).click();
  await page.getByText('updated: Description').waitFor();
  const ticked = await stored();
  t.is(ticked.description, before.description.replace('- [ ] cut', '- [x] cut'));
  const edit = page.getByRole('button', { name: 'Edit description' });
  const editor = page.getByRole('textbox', { name: 'Description' }).and(page.locator('.ProseMirror'));
  await edit.click();
  await editor.waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('.in-place-description .shown').waitFor();
  t.deepEqual(await stored(), ticked, 'an untouched text makes no new version');
  await edit.click();
  await editor.waitFor();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('The ');
  await page.getByText('Draft kept in this browser. Not saved for the team yet.').waitFor();
  await page.reload();
  t.deepEqual(await stored(), ticked);
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await editor.waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('updated: Description').waitFor();
  t.is((await stored()).description, ticked.description.replace('First', 'The First'));
  await page.reload();
  t.is(await page.getByRole('button', { name: 'Continue editing' }).count(), 0);
});

test('hostile HTML and Markdown paste as safe content', async (t) => {
  const page = await work.browser.shared(t);
  await page.getByRole('button', { name: 'Edit description' }).click();
  const editor = page.locator('.ProseMirror');
  await editor.waitFor();
  const paste = (type: string, data: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(data)});
      document.querySelector('.ProseMirror').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
  await page.keyboard.press('Control+a');
  await paste(
    'text/html',
    `<script>window.hacked = 1</script><p onclick="x()">Safe <b>bold</b> <a href="javascript:alert(1)">bad</a> <a href="https://a.example">good</a><img src="x" onerror="window.hacked = 1"></p>
     <p class="MsoListParagraph"><span style="mso-list:Ignore">· </span>Word item</p><table><tr><th>A</th></tr><tr><td>1<br>2</td></tr></table><p>End</p>`,
  );
  t.is(await editor.locator('script, img, [onclick], a[href^="javascript"]').count(), 0);
  t.is(await editor.locator('a').count(), 1);
  await page.keyboard.press('Control+End');
  await paste('text/plain', '## Pasted\n\n- [x] task\n\n[bad](javascript:alert(1)) <img src=x onerror=alert(1)>');
  t.is(await editor.locator('h2').innerText(), 'Pasted');
  await paste('text/html', `<table>${'<tr><td>x</td></tr>'.repeat(5_000)}</table>`);
  await paste('text/plain', 'word '.repeat(8_000));
  t.true((await editor.locator('td').count()) < 10);
  t.is(await page.evaluate('window.hacked'), undefined);
  await page.keyboard.press('Control+Enter');
  await page.getByText('updated: Description').waitFor();
  const { description } = await stored();
  t.regex(description, /^Safe \*\*bold\*\* bad \[good\]\(https:\/\/a\.example\)/);
  t.regex(description, /- Word item/);
  t.regex(description, /\| A \|\n\| --- \|\n\| 1 2 \|/);
  t.regex(description, /## Pasted\n\n- \[x\] task/);
  t.is(await page.locator('main img, main script').count(), 0);
});

test('others’ changes of other fields are merged; of the same field both versions are shown, and one or both are used', async (t) => {
  const page = await work.browser.shared(t);
  await page.getByRole('heading', { level: 1 }).click();
  const theirs = await work.visitor('max');
  const path = `${work.item('task').slice(work.web.baseUrl.length)}/edit`;
  await theirs.go(path);
  await theirs.send('/edit', { estimatedHours: '7' });
  const field = page.getByRole('textbox', { name: 'Title' });
  await field.fill('Sew them');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sew them' }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await theirs.go(path);
  await theirs.send('/edit', { title: 'Sew all' });
  await field.fill('Sew some');
  await field.press('Enter');
  await page.getByRole('heading', { name: /changed this task while you edited it/ }).waitFor();
  t.true(await page.getByRole('button', { name: 'Save' }).isDisabled());
  await page.getByText('Use this').first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sew all' }).waitFor();
  t.is((await stored()).title, 'Sew all');

  await page.goto(`${work.item('task')}/edit`);
  // Rare fields appear on demand.
  const reason = page.getByLabel('Reason for the block');
  t.false((await reason.isVisible()) || (await page.getByLabel('Start date', { exact: true }).isVisible()));
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Blocked' });
  t.true(await reason.isVisible());
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Planned' });
  await theirs.go(path);
  await theirs.send('/edit', { description: 'Theirs\n\n- one', estimatedHours: '5.5' });
  await page.getByRole('textbox', { name: 'Description' }).fill('Mine **too**');
  await page.getByRole('button', { name: 'Save' }).click();
  const both = page.getByRole('group', { name: 'Description' });
  await both.getByText('Use both and edit').waitFor();
  t.regex(await page.locator('.merged').innerText(), /Merged already: estimate 5 h 30 min \(Max\)/);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('radio', { name: 'Description, Your version' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('1 of 1 fields chosen.').waitFor();
  await both.locator('.both-v').waitFor({ state: 'hidden' });
  await both.getByText('Use both and edit').click();
  const editor = both.locator('.ProseMirror');
  await editor.waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await waitUntil(page, 'document.documentElement.scrollWidth === 390');
  await editor.press('Control+End');
  await editor.pressSequentially(' and more');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('updated: Description').waitFor();
  t.is((await stored()).description, 'Theirs\n\n- one\n\nMine **too and more**');
});
