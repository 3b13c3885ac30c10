/** Pages of large workspaces are limited, and users share the event loop (behaviour §13.15, §24.4, §26.4, §27.3). */
import { possibleNeeds } from '../../src/access/rights.ts';
import { charge } from '../../src/access/throttle/loopShare.ts';
import { makePeopled } from '../bench/peopled.ts';
import type { Bulk } from '../support/bulk.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { Visitor } from '../support/visitor.ts';
import { startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const TASKS = 400;
const PEOPLE = 500;

const database = fileDatabase();
let bulk: Bulk;
let fixtures: Fixtures;
let web: Web;
let ana: Visitor;
test.before('a workspace of many people', async () => {
  bulk = await makePeopled(database.url, TASKS, PEOPLE);
  fixtures = new Fixtures(database.url);
  web = await startWeb(database.url);
  ana = new Visitor(web.baseUrl);
  ana.cookie = await fixtures.session(bulk.userId);
});
test.after('stop', () => Promise.all([fixtures?.close(), web?.stop()]));

const count = (html: string, part: RegExp) => [...html.matchAll(part)].length;

async function insert(type: 'goal' | 'requirement', number: number): Promise<number[]> {
  const rows = await fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, needs, target_date)
     select $1, $2, $3::text, $3 || n, '', 'planned', 'planned', $4, current_date + 10 from generate_series(1, $5::integer) n returning id`,
    [bulk.accountId, bulk.workspaceId, type, possibleNeeds(type)[0], number],
  );
  return rows.map(({ id }) => Number(id));
}

test('what-if offers as many people as fit into its rows, and always the assignees', async (t) => {
  const [late] = await fixtures.sql(
    `select user_id as id from memberships where workspace_id = $1 and role = 'member' order by user_id desc limit 1`,
    [bulk.workspaceId],
  );
  const task = bulk.firstTaskId;
  await fixtures.sql('update items set assignee_id = $2 where id = $1', [task, late.id]);
  await fixtures.sql('update items set requirement_id = null where workspace_id = $1', [bulk.workspaceId]);
  const { html } = await ana.go(`/capacity/what-if?workspaceId=${bulk.workspaceId}&project=0&e${task}=5`);
  const rows = count(html, /<select class="input"[^>]* name="a\d+"/g);
  t.is(rows, 60);
  t.true(html.includes('Only the first 333 people are listed.'));
  const assigneeOf = (page: string) => page.split(`name="a${task}"`)[1]!.split('</select>')[0]!;
  const row = assigneeOf(html);
  t.is(count(row, /<option/g), 335, 'Unassigned, the one assigned, and the first 333');
  t.regex(row, new RegExp(`<option value="${late.id}"[^>]* selected>`));
  const moved = assigneeOf((await ana.go(`/capacity/what-if?workspaceId=${bulk.workspaceId}&project=0&a${task}=${bulk.userId}`)).html);
  const chosen = (id: number, mark: string) => new RegExp(`<option value="${id}"[^>]*${mark}[^>]*>`);
  t.regex(moved, chosen(late.id, ''));
  t.regex(moved, chosen(bulk.userId, ' selected'));
});

test('a timeline shows 200 tasks in total, shared by the open rows', async (t) => {
  const requirements = await insert('requirement', 20);
  await fixtures.sql(`update items set requirement_id = ($3::bigint[])[1 + (id - $2) % 20] where workspace_id = $1 and type = 'task'`, [
    bulk.workspaceId,
    bulk.firstTaskId,
    requirements,
  ]);
  const open = (ids: number[]) => ana.go(`/workspaces/${bulk.workspaceId}?view=timeline&${ids.map((id) => `tasks=${id}`).join('&')}`);
  const tasks = (html: string) => count(html, /<tr id="tl-(\d+)"[^>]*><th scope="row"><div class="nm d[1-9]/g);
  t.is(tasks((await open(requirements.slice(0, 1))).html), 20);
  const all = (await open(requirements)).html;
  t.is(tasks(all), 200);
  t.is(count(all, /Show all in the list/g), 20);
});

test("the tree of goals shows the latest 12 recorded values of each, a goal's page 60", async (t) => {
  const [goal] = await insert('goal', 1);
  await fixtures.sql(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
     select $1, $2, $3, $4, 'page', 'item.updated', 1 + n, jsonb_build_object('current', jsonb_build_array(n, n + 1)) from generate_series(1, 20) n`,
    [bulk.accountId, bulk.workspaceId, goal, bulk.userId],
  );
  const values = (html: string) =>
    [...html.matchAll(/<tr><th scope="row"><time[^>]*>[^<]*<\/time><\/th><td class="num">(\d+)</g)].map(([, n]) => Number(n));
  const tree = (await ana.go(`/workspaces/${bulk.workspaceId}?type=goal`)).html;
  t.deepEqual(
    values(tree),
    Array.from({ length: 12 }, (_, n) => 21 - n),
  );
  t.true(tree.includes('Recorded values: 12+.'));
  const page = (await ana.go(`/workspaces/${bulk.workspaceId}/items/${goal}`)).html;
  t.deepEqual(
    values(page),
    Array.from({ length: 21 }, (_, n) => 21 - n),
  );
});

test('page requests of a user beyond their share of the event loop wait while others are served', async (t) => {
  const [member] = await fixtures.sql(`select user_id as id from memberships where workspace_id = $1 and role = 'member' limit 1`, [
    bulk.workspaceId,
  ]);
  const other = new Visitor(web.baseUrl);
  other.cookie = await fixtures.session(Number(member.id));
  const order: string[] = [];
  const list = `/workspaces/${bulk.workspaceId}?type=task`;
  const visit = async (name: string, visitor: Visitor) => {
    t.is((await visitor.go(list)).status, 200);
    order.push(name);
  };
  // Others use the loop, too.
  charge(0, 1);
  charge(bulk.userId, 700);
  await Promise.all([visit('ana', ana), visit('other', other)]);
  t.deepEqual(order, ['other', 'ana']);
});
