/** One page for absent and hidden things (behaviour §40.5). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { type Shown, signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
test.before('a goal that one member may not see, and another workspace', async () => {
  const elsewhere = { ref: 'boats', name: 'Boats', members: [{ user: 'ana', role: 'owner' as const }] };
  const items = [
    { ref: 'aim', type: 'goal' as const, title: 'Secret aim' },
    { ref: 'task', type: 'task' as const, title: 'Buy paint' },
  ];
  work = await workWorld(
    database.url,
    { items, members: [{ user: 'eve', role: 'member', access: { goals: 'none' } }] },
    { workspaces: [{ ...elsewhere, items: [{ ref: 'sail', type: 'task' as const, title: 'Sew a sail' }] }] },
  );
});
test.after('stop', () => work?.stop());

/** The page's own part, without the asked number. */
const plain = ({ html }: Shown, id: number) =>
  html.slice(html.indexOf('<main')).replaceAll(`item ${id}.`, 'item #.').replaceAll(`value="${id}"`, 'value="#"');

test('an absent and a hidden item answer the same page, with a search for the number and a way back', async (t) => {
  const eve = await signedIn(work.web.baseUrl, emailOf('eve'));
  const [apollo, hidden] = [work.refs.id('apollo'), work.refs.id('aim')];
  const absent = 9;
  t.is(String(absent).length, String(hidden).length);
  const at = (id: number, rest = '') => `/workspaces/${apollo}/items/${id}${rest}`;
  for (const rest of ['', '/edit', '/change/status', '/menu', '/when']) {
    const [one, other] = [await eve.go(at(hidden, rest)), await eve.go(at(absent, rest))];
    t.is(one.status, 403, rest);
    t.is(other.status, 403, rest);
    t.is(plain(one, hidden), plain(other, absent), rest);
    t.is(one.html.length, other.html.length, rest);
    t.regex(one.text, /We can’t find this item, or you have no access/);
    t.notRegex(one.html, /Secret/);
  }
  const shown = await eve.go(at(hidden));
  t.regex(shown.html, new RegExp(`name="q"[^>]* value="${hidden}"`));
  t.regex(shown.html, new RegExp(`href="/stint/workspaces/${apollo}">Back to Apollo`));
});

test('a workspace of others and an absent one answer the same page', async (t) => {
  const eve = await signedIn(work.web.baseUrl, emailOf('eve'));
  const [boats, sail] = [work.refs.id('boats'), work.refs.id('sail')];
  for (const rest of ['', `/items/${sail}`, '/settings/members']) {
    const [one, other] = [await eve.go(`/workspaces/${boats}${rest}`), await eve.go(`/workspaces/8${rest}`)];
    t.deepEqual([one.status, one.html.length], [other.status, other.html.length], rest);
    const named = (text: string, id: number) => text.replaceAll(`workspaces/${id}`, 'workspaces/#');
    t.is(named(plain(one, sail), boats), named(plain(other, sail), 8), rest);
    t.regex(one.text, /We can’t find this (?:item|page), or you have no access/);
    t.regex(one.html, /Go to My day/);
  }
});
