/** The search page over HTTP: results link to their pages, and hidden items leave no trace (behaviour §22.1, §22.7). */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let refs: WorldRefs;
let web: Web;

test.before('items with restricted access', async () => {
  const person = (ref: string, name: string) => ({ ref, email: `${ref}@acme.example`, name, password: PASSWORD });
  const file = oneWorkspace(
    {
      members: [{ user: 'bo', role: 'viewer', access: { requirements: 'none' } }],
      items: [
        { ref: 'seen', type: 'task', title: 'Deck <b>plan</b>' },
        { ref: 'hidden', type: 'requirement', title: 'Deck that is hidden' },
        { ref: 'gone', type: 'task', title: 'Deck of old', archived: true },
      ],
    },
    {
      users: [person('bo', 'Bo Deckhand'), person('eve', 'Eve Deckless')],
      workspaces: [
        {
          ref: 'other',
          name: 'Elsewhere',
          members: [{ user: 'eve', role: 'owner' }],
          items: [{ ref: 'e1', type: 'task', title: 'Deck elsewhere' }],
        },
      ],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('close', () => web?.stop());

const found = (html: string) => html.slice(html.indexOf('id="found"'), html.indexOf('</main>'));

test('items and people are found and link to their pages; hidden items leave no trace', async (t) => {
  const bo = await signedIn(web.baseUrl, 'bo@acme.example');
  const { status, html, text } = await bo.go('/search?q=deck');
  t.is(status, 200);
  t.regex(text, /1 item, 1 person/);
  const part = found(html);
  t.true(part.includes(`href="/stint/workspaces/${refs.id('apollo')}/items/${refs.id('seen')}"`));
  t.true(part.includes('Deck &lt;b&gt;plan&lt;/b&gt;'));
  t.regex(part, /Bo Deckhand/);
  for (const word of ['that is hidden', 'of old', 'Eve', 'elsewhere', 'Elsewhere']) t.false(part.includes(word), word);
  t.regex((await bo.go(`/search?q=%23${refs.id('hidden')}`)).text, /No items or people found/);
});

test('archived work is found on request and marked', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/search?q=deck+old');
  t.regex(ana.at.text, /include archived items/);
  const { text, html } = await ana.go('/search?q=deck+old&archived=on');
  t.regex(text, /Deck of old ?Task \d+ · Apollo ?Archived/);
  t.regex(html, /name="archived" checked/);
});

test("a command's form runs it and redirects back to the previous page", async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/search?q=dark+theme&back=/my');
  await ana.send('/theme', {}, (fields) => fields.get('theme') === 'dark' || fields.get('back') === '/my');
  t.is(ana.at.path, '/my');
  t.regex(ana.at.html, /<html[^>]* data-theme="dark"/);
  await ana.go('/search?q=light&back=https://evil.example/');
  await ana.send('/theme', {}, (fields) => fields.get('theme') === 'light' && fields.get('back') === '/');
  t.is(ana.at.path, '/');
});

test('empty, too long and invalid texts cause no error', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  for (const q of ['', '%20', '%00', '%25', '_', "'", '%5C', 'x'.repeat(400), '%F0%9F%99%82', '%ED%A0%80', '#', '999999999999999999999'])
    t.is((await ana.go(`/search?q=${q}`)).status, 200, q);
  t.regex((await ana.go('/search')).text, /Search items of all your workspaces, people, pages and commands/);
});
