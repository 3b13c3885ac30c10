/** Search everywhere finds exactly what the user may see in all of their workspaces, titles first (behaviour §22.1). */
import type { Caller } from '../../src/access/caller.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { parseInput } from '../../src/operations/input.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { type Everywhere, searchEverywhere, soughtBy } from '../../src/overviews/searchEverywhere.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let db: Db;
let refs: WorldRefs;

const task = (ref: string, title: string, more: object = {}) => ({ ref, type: 'task' as const, title, ...more });

test.before('people with different rights in three workspaces', async () => {
  const users = ['bo', 'cleo', 'dan', 'eve'].map((ref) => ({
    ref,
    email: `${ref}@acme.example`,
    name: `${ref[0]!.toUpperCase()}${ref.slice(1)} Deckhand`,
  }));
  refs = await world(
    database.url,
    oneWorkspace(
      {
        members: [
          { user: 'bo', role: 'member' },
          { user: 'cleo', role: 'viewer', access: { requirements: 'none' } },
        ],
        items: [
          { ref: 'r1', type: 'requirement', title: 'Know how much deck is left' },
          { ref: 'g1', type: 'goal', title: 'Nobody waits on a deck' },
          task('below', 'Deck plan of each ship', { fields: { requirementId: { ref: 'r1' } } }),
          task('starts', 'Deck paint'),
          task('closed', 'Deck swept', { status: 'done' }),
          task('inside', 'Bedecked ship'),
          task('described', 'Paint', { description: 'All of the deck' }),
          task('blocked', 'Wait', { status: 'blocked', fields: { blockedReason: 'deck is wet' } }),
          task('gone', 'Deck of an old ship', { archived: true }),
          task('umlaut', 'GRÖSSE der 会議'),
          task('percent', '100% of a_b'),
          task('ui', 'UI for it'),
        ],
      },
      {
        users,
        workspaces: [
          {
            ref: 'hermes',
            name: 'Hermes',
            members: [
              { user: 'ana', role: 'owner' },
              { user: 'dan', role: 'member' },
            ],
            items: [task('h1', 'Deck in Hermes')],
          },
          { ref: 'foreign', name: 'Foreign', members: [{ user: 'eve', role: 'owner' }], items: [task('f1', 'Deck that is secret')] },
        ],
      },
    ),
  );
  db = await connectDb(database.url, 2);
});
test.after('close', () => db?.close());

const find = async (who: string, q: string, more: object = {}): Promise<Everywhere> => {
  const caller: Caller = { kind: 'user', userId: refs.id(who) };
  return outputOf(await perform(db, caller, searchEverywhere, parseInput(searchEverywhere.input, { q, ...more })));
};
const ids = async (who: string, q: string, more: object = {}) => (await find(who, q, more)).items.map(({ id }) => id);
const of = (...names: string[]) => names.map((name) => refs.id(name));

test('titles that begin with the text come first, then words of titles, parts of titles, and other texts; open before closed', async (t) => {
  const found = await ids('ana', 'deck');
  t.deepEqual(found.slice(0, 4), of('h1', 'starts', 'below', 'closed'));
  t.deepEqual(new Set(found.slice(4, 6)), new Set(of('g1', 'r1')));
  t.deepEqual(found.slice(6), [refs.id('inside'), ...of('blocked', 'described')]);
});

test("exactly the user's workspaces are searched, and hidden items are not found, also by number", async (t) => {
  const all = await ids('cleo', 'deck');
  for (const hidden of of('r1', 'below', 'h1', 'f1', 'gone')) {
    t.false(all.includes(hidden));
    t.deepEqual(await ids('cleo', `#${hidden}`), []);
  }
  t.true(all.includes(refs.id('starts')));
  t.deepEqual(await ids('dan', 'deck'), of('h1'));
  t.deepEqual(await ids('eve', 'deck'), of('f1'));
});

test('a number finds its item first, with or without #', async (t) => {
  for (const q of [`#${refs.id('inside')}`, String(refs.id('inside')), ` ${refs.id('inside')} `])
    t.is((await ids('bo', q))[0], refs.id('inside'));
  t.deepEqual(await ids('ana', '#999999999999999'), []);
});

test('all words must match, in any order and case; pattern characters are literal', async (t) => {
  t.deepEqual(await ids('bo', 'SHIP deck plan'), of('below'));
  t.deepEqual(await ids('bo', 'deck nowhere'), []);
  t.deepEqual(await ids('bo', 'grösse 会議'), of('umlaut'));
  t.deepEqual(await ids('bo', '100% a_b'), of('percent'));
  t.deepEqual(await ids('bo', '%'), of('percent'));
  t.deepEqual(await ids('bo', 'ui'), of('ui'));
});

test('archived work is found on request, marked, and after other results', async (t) => {
  t.false((await ids('bo', 'deck')).includes(refs.id('gone')));
  const { items } = await find('bo', 'deck', { archived: true });
  t.deepEqual(
    items.filter(({ archived }) => archived).map(({ id }) => id),
    of('gone'),
  );
  t.is(items.at(-1)!.id, refs.id('gone'));
  t.deepEqual((await find('bo', `#${refs.id('gone')}`, { archived: true })).items[0], {
    ...{ id: refs.id('gone'), workspaceId: refs.id('apollo'), workspace: 'Apollo', type: 'task', title: 'Deck of an old ship' },
    ...{ status: 'planned', statusLabel: 'Planned', archived: true },
  });
});

test('the flag for more results depends on visible items only', async (t) => {
  t.true((await find('bo', 'deck', { limit: 3 })).more);
  t.is((await find('bo', 'deck', { limit: 3 })).items.length, 3);
  const { items } = await find('bo', 'deck');
  t.false((await find('bo', 'deck', { limit: items.length })).more);
});

test('people are found by members of a shared workspace, and by administrators of the account', async (t) => {
  const names = async (who: string) => (await find(who, 'deckhand')).people.map(({ id }) => id);
  t.deepEqual(await names('cleo'), of('bo', 'cleo'));
  t.deepEqual(await names('eve'), of('eve'));
  t.deepEqual(new Set(await names('ana')), new Set(of('bo', 'cleo', 'dan', 'eve')));
  const { people } = await find('bo', 'cleo');
  t.deepEqual(people, [{ id: refs.id('cleo'), name: 'Cleo Deckhand', kind: 'person', workspaceId: refs.id('apollo') }]);
});

test('spaces find nothing; the longest indexed words lead', (t) => {
  const asked = { archived: false, limit: 20 };
  t.is(soughtBy({ q: '  \n ', ...asked }), null);
  t.deepEqual(soughtBy({ q: 'of the deckhouse', ...asked })!.keys, ['deckhouse', 'the']);
  t.deepEqual(soughtBy({ q: 'ui deck', ...asked })!.keys, ['deck', 'deck']);
  t.is(soughtBy({ q: 'u i', ...asked })!.keys, null);
});
