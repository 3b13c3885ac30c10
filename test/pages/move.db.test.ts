/** Moving items to another workspace on pages without script (behaviour §42). board.browser.test.ts covers the bar of selected items. */
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let ana: Visitor;
test.before('two workspaces', async () => {
  const member = (user: string, role: 'owner' | 'member') => ({ user, role });
  work = await workWorld(
    database.url,
    {
      labels: [{ name: 'Paint' }],
      items: [
        { ref: 'harbour', type: 'requirement', title: 'The harbour is open' },
        { ref: 'varnish', type: 'task', title: 'Buy varnish' },
        {
          ...{ ref: 'boat', type: 'task', title: 'Paint the boat', labels: ['Paint'], blockedBy: [{ ref: 'varnish' }] },
          fields: { requirementId: { ref: 'harbour' }, assigneeId: { ref: 'max' } },
        },
        { ref: 'hull', type: 'task', title: 'Sand the hull', fields: { parentItemId: { ref: 'boat' } } },
        { ref: 'plain', type: 'task', title: 'Nothing to lose' },
      ],
    },
    { workspaces: [{ ref: 'hermes', name: 'Hermes', members: [member('ana', 'owner'), member('mia', 'member')] }] },
  );
  ana = await signedIn(work.web.baseUrl, emailOf('ana'));
});
test.after('stop', () => work?.stop());

const at = () => `/workspaces/${work.refs.id('apollo')}`;
const there = () => `/workspaces/${work.refs.id('hermes')}`;
const item = (ref: string) => `${at()}/items/${work.refs.id(ref)}`;
/** Opens the page to choose a workspace, and from it the preview. */
async function preview(ref: string): Promise<string> {
  await ana.go(`${at()}/move?ids=${work.refs.id(ref)}`);
  const { path, fields } = ana.form('/move');
  return (await ana.go(`${path}?${fields}`)).text;
}

test('the item’s menu leads to a preview that names all losses; confirming moves it, and its old address leads to the new one', async (t) => {
  await ana.go(item('boat'));
  t.true(ana.at.html.includes(`href="/stint${at()}/move?ids=${work.refs.id('boat')}"`));
  t.true(ana.at.text.includes('Move to workspace…'));
  const text = await preview('boat');
  for (const said of [
    'Move to Hermes',
    `Requirement: #${work.refs.id('harbour')} “The harbour is open”`,
    `Blocked by: #${work.refs.id('varnish')} “Buy varnish”`,
    'Label “Paint”: Hermes has none of this name.',
    'Assignee: Max is removed, because they can’t be assigned work in Hermes.',
    'Move 2 items',
  ])
    t.true(text.includes(said), said);
  await ana.send('/move', {}, (sent) => sent.has('_csrf'));
  t.true(ana.at.path.startsWith(`${there()}/items/${work.refs.id('boat')}`), ana.at.path);
  for (const said of ['Paint the boat', '2 tasks moved', 'moved this task here from Apollo']) t.true(ana.at.text.includes(said), said);
  t.true((await ana.go(item('hull'))).path.startsWith(`${there()}/items/${work.refs.id('hull')}`), 'the old address leads here');
});

test('a preview of very many losses shows 500 lines and counts the others', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  const tasks = async (title: string, count: number): Promise<number[]> => {
    const made = await fixtures.sql(
      `insert into items (account_id, workspace_id, type, title, description, status, status_key)
       select account_id, id, 'task', $2 || n, '', 'planned', 'planned' from workspaces, generate_series(1, $3::int) n where id = $1 returning id`,
      [work.refs.id('apollo'), title, count],
    );
    return made.map(({ id }) => Number(id));
  };
  const [waiting, blockers] = [await tasks('Waits ', 11), await tasks('Blocks ', 50)];
  await fixtures.sql(
    `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id)
     select account_id, workspace_id, id, blocker from items, unnest($2::bigint[]) blocker where id = any($1)`,
    [waiting, blockers],
  );
  await ana.go(`${at()}/move?${waiting.map((id) => `ids=${id}`).join('&')}&to=${work.refs.id('hermes')}`);
  t.is(ana.at.text.match(/Blocked by: #/g)?.length, 500);
  t.true(ana.at.text.includes('And 50 more lines.'));
});

test('a preview says that nothing is lost, and a second submission changes nothing', async (t) => {
  t.regex(await preview('plain'), /Nothing stays behind or changes\..*Move 1 task/);
  const { path } = ana.at;
  t.regex((await ana.send('/move', {}, (sent) => sent.has('_csrf'))).text, /Nothing to lose moved/);
  t.is((await ana.go(path)).status, 403, 'the preview of an item that moved is absent');
});

test('a viewer is offered no move, and its page is absent for them', async (t) => {
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  t.false((await vic.go(item('varnish'))).text.includes('Move to workspace…'));
  t.is((await vic.go(`${at()}/move?ids=${work.refs.id('varnish')}`)).status, 403);
});
