/** The steps after the owner's form: a workspace, people, a first task (behaviour §40.6). */
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { ownerPath, startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
test.before('an empty database', async () => {
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

test('a new owner creates a workspace, invites people and ends at a first task; steps go back, and unknown ones begin again', async (t) => {
  const page = await browser.page(t);
  await page.goto(web.baseUrl + (await ownerPath(database.url)));
  for (const [label, value] of [
    ['Account', 'Acme'],
    ['Your name', 'Ana'],
    ['Your email', 'ana@acme.example'],
    ['Password', PASSWORD],
  ] as const)
    await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('heading', { name: 'Create a workspace' }).waitFor();
  await page.keyboard.type('Apollo');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who works in Apollo?' }).waitFor();
  t.is(await page.locator('[aria-current="step"]').innerText(), 'People');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByLabel('Email addresses').fill('bo@acme.example, Cleo <cleo@acme.example>');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2 invited').waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();

  await page.getByRole('heading', { name: 'Add your first task' }).waitFor();
  await expectAccessible(t, page);
  await page.keyboard.type('Order paper 4h');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order paper' }).waitFor();
  t.regex(await page.locator('.props').first().innerText(), /4 h/);
  await page.getByText('Order paper created').waitFor();

  await page.goto(`${web.baseUrl}/first-run?step=task&in=987654`);
  await page.getByRole('heading', { name: 'Create a workspace' }).waitFor();
  await page.goto(`${web.baseUrl}/first-run?step=odd`);
  await page.getByRole('heading', { name: 'Who works in Apollo?' }).waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Create a workspace' }).waitFor();
});
