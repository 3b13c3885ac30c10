/** The fields that svc_find_work searches, and the index of texts compared with the texts (behaviour §7.23). */
import fc from 'fast-check';
import { fileDatabase } from '../../support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from '../../support/mcpWorld.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const find = async (search: string, more = {}): Promise<number[]> => {
  const { items } = await ask(world.agent, 'svc_find_work', { assignee: 'all', search, ...more });
  return items.map(({ id }: { id: number }) => id);
};

test("a database in the embedded one's locale makes no trigrams of non-ASCII letters, and one in another locale does", async (t) => {
  const [{ made, ctype }] = await world.fixtures.sql(
    `select show_trgm('\u00f6\u00df\u4f1a') as made, (select datctype from pg_database where datname = current_database()) as ctype`,
  );
  t.is(made.length === 0, ctype === 'C');
});

test('title, description, acceptance, blocked reason and number are searched, and the answer says so', async (t) => {
  const [task, other] = await world.make(
    {
      ...{ type: 'task', title: 'Überweisung', description: 'Der Schlüssel fehlt', status: 'blocked' },
      fields: { acceptance: 'Prüfziffer stimmt', blockedReason: 'Wartet auf Zürich' },
    },
    { type: 'task', title: 'Another' },
  );
  for (const search of ['ÜBERWEIS', 'schlüssel', 'PRÜFZIFFER', 'zürich', String(task.id), `#${task.id}`]) {
    t.true((await find(search)).includes(task.id), search);
    t.false((await find(search)).includes(other.id), search);
  }
  const { searched } = await ask(world.agent, 'svc_find_work', { search: 'x' });
  t.deepEqual(searched, ['title', 'description', 'acceptance', 'blockedReason', 'number']);
  t.false('searched' in (await ask(world.agent, 'svc_find_work')));
  await ask(world.agent, 'svc_update_item', once({ id: task.id, version: 1, status: 'in_progress', fields: { acceptance: null } }));
  t.deepEqual([await find('zürich'), await find('prüfziffer'), await find('schlüssel')], [[], [], [task.id]]);
});

test('a number finds the item in addition to texts that contain it', async (t) => {
  const [one] = await world.make({ type: 'task', title: 'First' });
  const [two] = await world.make({ type: 'task', title: `After #${one.id}` });
  t.deepEqual(await find(`#${one.id}`), [one.id, two.id]);
  t.deepEqual(await find(`#${one.id}`, { afterId: one.id }), [two.id]);
  t.deepEqual(await find(`#${two.id}`), [two.id]);
});

test('notes are searched on request, for callers who may read them', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [task] = await world.make({ type: 'task', title: 'Quiet' });
  await ask(world.agent, 'svc_add_note', once({ id: task.id, body: 'Die Größe der 会議 ist offen' }));
  const deaf = await fixtures.user(accountId);
  await fixtures.member(workspaceId, deaf, 'member', { comments: 'none' });
  const without = await world.agentOf(deaf);
  for (const search of ['DIE GRÖSSE', '会議', 'gr']) {
    const wanted = search === 'DIE GRÖSSE' ? 'die größe' : search;
    t.false((await find(wanted)).includes(task.id));
    t.true((await find(wanted, { searchIn: 'all' })).includes(task.id), wanted);
    const { items, searched } = await ask(without, 'svc_find_work', { assignee: 'all', search: wanted, searchIn: 'all' });
    t.false(items.some(({ id }: { id: number }) => id === task.id));
    t.false(searched.includes('notes'));
  }
  const { searched } = await ask(world.agent, 'svc_find_work', { search: 'x', searchIn: 'all' });
  t.deepEqual(searched.at(-1), 'notes');
});

test("the key of any part of a text is a part of the text's key", async (t) => {
  const text = fc.array(
    fc.constantFrom(
      'a',
      'Z',
      '7',
      ' ',
      '#',
      '%',
      'ö',
      'ß',
      'Ω',
      'ж',
      'Ё',
      'א',
      'ع',
      'न',
      '会',
      '議',
      '한',
      '𝒳',
      '🙂',
      'e\u0301',
      '\u2026',
      '\u00a0',
    ),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), fc.nat(), async (letters, from, length) => {
      const start = from % letters.length;
      const part = letters.slice(start, start + 1 + (length % 12)).join('');
      const [{ holds, same, key }] = await world.fixtures.sql(
        `select position(search_key(lower($2)) in search_key(lower($1))) > 0 and position(phrase_key(lower($2)) in phrase_key(lower($1))) > 0 as holds,
           phrase_key(lower($1)) = replace(search_key(lower($1)), ' ', 'z') as same, search_key(lower($1)) as key`,
        [letters.join(''), part],
      );
      t.true(holds, `${letters.join('')} ${part}`);
      t.true(same, 'whether it is in line or not');
      t.regex(key, /^[\x20-\x7e]*$/);
    }),
    { numRuns: runs(200) },
  );
});
