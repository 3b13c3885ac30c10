/** Favorites and recent items: sidebar, palette, rights (behaviour §38.2, §38.3). */
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
const path = () => work.at.slice(work.web.baseUrl.length);
const titles = ['keel', 'hull', 'mast', 'sail', 'boom', 'deck', 'hold', 'helm', 'stem'];
test.before('a workspace with work', async () => {
  const items = titles.map((ref) => ({ ref, type: 'task', title: `The ${ref}` }) as const);
  work = await workWorld(
    database.url,
    { items: [...items, { ref: 'secret', type: 'goal', title: 'Hidden goal' }] },
    {
      workspaces: [
        {
          ref: 'other',
          name: 'Other',
          members: [{ user: 'ana', role: 'owner' }],
          items: [{ ref: 'far', type: 'task', title: 'Far away' }],
        },
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

const own = ({ html }: { html: string }) => /<nav class="own".*?<\/nav>/s.exec(html)?.[0] ?? '';
const linked = (part: string) => [...part.matchAll(/<a [^>]*?href="[^"]*\/items\/(\d+)"/g)].map(([, id]) => Number(id));
const ids = (...refs: string[]) => refs.map((ref) => work.refs.id(ref));
const star = (visitor: Visitor, kind: string, id: number, on = 'yes') => visitor.send('/favorites', { kind, id: String(id), on });

test('lists the last eight opened items once each, in the sidebar and in the empty palette', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  t.is(own(mia.at), '');
  for (const ref of [...titles, 'hull']) await mia.go(`${path()}/items/${work.refs.id(ref)}`);
  await mia.go('/search?palette=1');
  const expected = ids('hull', 'stem', 'helm', 'hold', 'deck', 'boom', 'sail', 'mast');
  t.deepEqual(linked(own(mia.at)), expected);
  t.deepEqual(linked(/<h2>Recent<\/h2>.*?<\/section>/s.exec(mia.at.html)![0]), expected);
});

test('an item that a person can no longer see leaves both lists at once', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const goal = `${path()}/items/${work.refs.id('secret')}`;
  await mia.go(goal);
  await star(mia, 'item', work.refs.id('secret'));
  t.is(own(mia.at).split('Hidden goal').length, 3, 'as favorite and as recent');
  await fixtures.sql(`update memberships set overrides = '{"goals":"none"}' where user_id = $1`, [work.refs.id('mia')]);
  await mia.go('/');
  t.false(mia.at.html.includes('Hidden goal'));
  t.is((await mia.go(goal)).status, 403);
  await fixtures.sql(`update memberships set overrides = '{}' where user_id = $1`, [work.refs.id('mia')]);
});

test('stars an item, a view and a workspace, and removes a star', async (t) => {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  await max.go(`${path()}/items/${work.refs.id('keel')}`);
  await star(max, 'item', work.refs.id('keel'));
  t.regex(max.at.text, /Added to favorites/);
  await max.go(path());
  await max.send('/views', { name: 'My filter', query: 'mine=1' });
  const [, view] = /saved=(\d+)/.exec(max.at.path)!;
  await star(max, 'view', Number(view));
  t.regex(own(max.at), /The keel.*My filter/s);
  await max.go('/workspaces');
  await star(max, 'workspace', work.refs.id('apollo'));
  t.regex(own(max.at), /The keel.*My filter.*Apollo/s);
  await max.go(`${path()}/items/${work.refs.id('keel')}`);
  t.regex(
    max.at.html,
    /aria-pressed="true"[^>]*aria-label="Remove this task from favorites"|aria-label="Remove this task from favorites"[^>]*aria-pressed="true"/,
  );
  await star(max, 'item', work.refs.id('keel'), 'no');
  t.notRegex(/Favorites.*?<\/details>/s.exec(own(max.at))![0], /The keel/);
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  t.notRegex(own(mia.at), /My filter|Apollo/, 'stars are personal');
});

test("refuses stars on hidden, absent and others' things with the same status", async (t) => {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  const at = `${path()}/items/${work.refs.id('hull')}`;
  const attempts = [
    { kind: 'item', id: work.refs.id('far') },
    { kind: 'item', id: 999_999 },
    { kind: 'view', id: 999_999 },
    { kind: 'item', id: work.refs.id('far'), workspaceId: work.refs.id('other') },
    { kind: 'workspace', id: work.refs.id('other'), workspaceId: work.refs.id('other') },
  ];
  for (const { kind, id, ...more } of attempts) {
    await max.go(at);
    const fields = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]));
    t.is((await max.send('/favorites', { kind, id: String(id), on: 'yes', ...fields })).status, 403, JSON.stringify({ kind, id }));
  }
  await max.go(at);
  t.is((await max.send('/favorites', { kind: 'planet', id: '1', on: 'yes' })).status, 400);
});

test('refuses a star beyond fifty', async (t) => {
  await fixtures.sql(
    `insert into views (account_id, workspace_id, user_id, name, query)
    select m.account_id, m.workspace_id, m.user_id, 'v' || n, '' from memberships m, generate_series(1, 50) n where m.user_id = $1`,
    [work.refs.id('vic')],
  );
  await fixtures.sql(
    `insert into stars (account_id, workspace_id, user_id, view_id) select account_id, workspace_id, user_id, id from views where user_id = $1`,
    [work.refs.id('vic')],
  );
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  await vic.go(`${path()}/items/${work.refs.id('hull')}`);
  await star(vic, 'item', work.refs.id('hull'));
  t.is(vic.at.status, 409);
  t.regex(vic.at.text, /A person can have at most 50 favorites. Remove one first/);
});
