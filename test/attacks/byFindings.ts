/** What a penetration test found: the largest data that one member could make or send to stop a process (H1, H2, M3, M4). */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { rightsOfLevels } from '../../src/access/rights.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { makeBulk, withoutIndexes } from '../support/bulk.ts';
import { Fixtures } from '../support/restWorld.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';
import { type Attack, loops, type Target } from './attack.ts';
import { callTool, formsOf, restHeaders, send, sessionOf } from './requests.ts';

type Sql = Fixtures['sql'];
type Given = Parameters<typeof oneWorkspace>;

const MOST_TURN_MS = 50;

/** An account with one owner, who attacks, and further rows. Resolves to the target, with what `more` has made. */
export async function owned(
  databaseUrl: string,
  given: Given,
  more: (sql: Sql, refs: WorldRefs, fixtures: Fixtures) => Promise<Record<string, string>>,
): Promise<Partial<Target>> {
  const refs = await world(databaseUrl, oneWorkspace(...given));
  const fixtures = new Fixtures(databaseUrl);
  try {
    const made = await more((text, values) => fixtures.sql(text, values), refs, fixtures);
    const cookie = `JSESSIONID=${await fixtures.session(refs.id('ana'))}`;
    return { restKey: refs.key('k1'), agentKey: refs.key('c1'), cookie, workspaceId: refs.id('apollo'), made };
  } finally {
    await fixtures.close();
  }
}

export const page = (target: Target, path: string) => ({ method: 'GET', path, headers: sessionOf(target) });
export const task = (ref: string, more = {}) => ({ ref, type: 'task' as const, title: ref, ...more });
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

/** Blocks made before there was a limit, each half an hour, over a year. */
const BLOCKS = `with early as (select set_config('stint.restoring', 'on', true))
  insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, note)
  select w.account_id, w.id, $2, $3, to_char(t, 'YYYY-MM-DD"T"HH24:MI'), to_char(t + interval '30 minutes', 'YYYY-MM-DD"T"HH24:MI'), 'UTC',
    t at time zone 'UTC', (t + interval '30 minutes') at time zone 'UTC', repeat('n', 2000)
  from early, workspaces w, generate_series(1, 12500) n,
    lateral (select date_trunc('hour', now() at time zone 'UTC') - interval '29 days' + n * interval '40 minutes' as t) at
  where w.id = $1`;

const list = (count: number, sign = '') => Array.from({ length: count }, (_, n) => `${sign}${366 - n}`).join();
const everyDay = 'MO,TU,WE,TH,FR,SA,SU';
/** The first is refused now, and may be stored. */
const rules = [
  `FREQ=DAILY;BYMONTHDAY=1;BYSETPOS=${list(115)}`,
  `FREQ=YEARLY;BYDAY=${everyDay};BYSETPOS=${list(100)}`,
  `FREQ=YEARLY;BYDAY=${everyDay};BYSETPOS=${list(80, '-')}`,
  `FREQ=YEARLY;INTERVAL=366;BYYEARDAY=${list(110)}`,
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  `FREQ=MONTHLY;BYDAY=${everyDay};BYSETPOS=31,-31;BYMONTH=2`,
];

const AGENTS = 8;
const everything = rightsOfLevels({ tasks: 'read', requirements: 'read', releases: 'read', milestones: 'read' });

const PEOPLE = 1_000;
const mentioning = (count: number) => Array.from({ length: count }, (_, n) => `@Person ${n + 1}`).join(' ');

/** 500 comments that mention 300 people, on an item with 20,000 earlier ones, and then a comment of another account that mentions Zoe. None of
 *  them has notified anyone. */
async function manyMentions(databaseUrl: string): Promise<Partial<Target>> {
  const comment = `with written as (
      insert into comments (account_id, workspace_id, item_id, author_id, body)
      select account_id, workspace_id, id, $2, $3 from items, generate_series(1, $4::int) where id = $1 returning *)
    insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, comment_id)
    select account_id, workspace_id, item_id, author_id, 'rest', 'comment.created', 1, id from written`;
  const people = `with people as (
      insert into users (account_id, email, name) select account_id, gen_random_uuid() || '@x.example', $2 || n
        from workspaces, generate_series(1, $3::int) n where id = $1 returning account_id, id)
    insert into memberships (account_id, workspace_id, user_id, role) select account_id, $1, id, 'member' from people returning user_id`;
  const target = await owned(databaseUrl, [{ items: [task('commented')] }], async (sql, { id }) => {
    await sql(people, [id('apollo'), 'Person ', PEOPLE]);
    await sql(
      `insert into comments (account_id, workspace_id, item_id, author_id, body)
       select account_id, workspace_id, id, $2, 'Earlier' from items, generate_series(1, 20000) where id = $1`,
      [id('commented'), id('ana')],
    );
    await sql(comment, [id('commented'), id('ana'), mentioning(300), 500]);
    return { item: String(id('commented')) };
  });
  const other = await owned(databaseUrl, [{ items: [task('other')] }], async (sql, { id }) => {
    const [zoe] = await sql(people, [id('apollo'), 'Zoe ', 1]);
    await sql(comment, [id('other'), id('ana'), '@Zoe 1', 1]);
    return { zoe: String(zoe!.user_id) };
  });
  return { ...target, made: { ...target.made, ...other.made } };
}

/** 200,000 items whose texts have all trigrams of the search, but not its phrase. */
async function manyTexts(databaseUrl: string): Promise<Partial<Target>> {
  const { key, userId, workspaceId } = await makeBulk(databaseUrl, 200_000);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const keys = Array.from({ length: AGENTS }, () => newSecret('agent'));
  await withoutIndexes(client, ['item_texts'], () =>
    client.query(`update item_texts set words = words || repeat(' xxxxxxx', 150) where workspace_id = $1`, [workspaceId]),
  );
  await client.query('update workspaces set mcp_enabled = true, mcp_rights = $2 where id = $1', [workspaceId, everything]);
  await client.query(
    `with made as (insert into connections (account_id, user_id, name, key_hash, rights)
       select u.account_id, u.id, 'Agent', hash, $3 from users u, unnest($2::bytea[]) hash where u.id = $1 returning account_id, id)
     insert into connection_workspaces (account_id, connection_id, workspace_id) select account_id, id, $4 from made`,
    [userId, keys.map(({ hash }) => hash), everything, workspaceId],
  );
  await client.end();
  return { restKey: key, workspaceId, made: { agents: keys.map(({ secret }) => secret).join(' ') } };
}

export const byFindings: Record<string, Attack> = {
  mentions: {
    ...{ title: '500 comments × 300 mentions on an item with 20,000 comments, and 50 mentions each in further ones', seconds: 20 },
    mostWorkerTurnMs: MOST_TURN_MS,
    worker: {},
    make: manyMentions,
    async run(target, signal, tally) {
      await loops(4, signal, () => {
        const body = JSON.stringify({
          workspaceId: target.workspaceId,
          id: Number(target.made.item),
          body: `${mentioning(50)} ${randomUUID()}`,
        });
        return send(target, { path: '/api/v1/comments', headers: restHeaders(target), body }, tally);
      });
    },
    async check(sql, { made, workspaceId }, answers) {
      const [told] = await sql(
        `select (select count(*)::integer from notifications where workspace_id = $1) as mentioned,
           (select count(*)::integer from notifications where user_id = $2) as others`,
        [workspaceId, made.zoe],
      );
      Object.assign(answers, told);
      return [...(told!.mentioned! >= 500 * 50 ? [] : ['mentions are missing']), ...(told!.others ? [] : ['another account waits'])];
    },
  },
  feeds: {
    ...{ title: 'A calendar feed, My time and svc_my_time of 12,500 blocks with 2,000-character notes', seconds: 20 },
    mostTurnMs: MOST_TURN_MS,
    make: (databaseUrl) =>
      owned(databaseUrl, [{ items: [task('planned')] }], async (sql, { id }) => {
        const { secret, hash } = newSecret('calendar');
        await sql(BLOCKS, [id('apollo'), id('ana'), id('planned')]);
        await sql('insert into calendar_feeds (account_id, user_id, token_hash) select account_id, id, $2 from users where id = $1', [
          ...[id('ana'), hash],
        ]);
        return { feed: `/calendar/${secret}.ics` };
      }),
    async run(target, signal, tally) {
      const year = { from: days(-29), to: days(330) };
      const kinds = [
        () => ({ method: 'GET', path: target.made.feed! }),
        () => callTool(target, 'svc_my_time', year),
        () => page(target, `/my?week=${days(7 * (Date.now() % 40))}`),
        () => page(target, `/my/month?month=${days(30).slice(0, 7)}`),
      ];
      await loops(12, signal, (n) => send(target, kinds[n % kinds.length]!(), tally));
    },
  },
  rules: {
    ...{ title: 'Recurrence rules of 500 characters with long BYSETPOS, sent and stored', seconds: 20, judgesMedian: true },
    mostTurnMs: MOST_TURN_MS,
    worker: {},
    make: (databaseUrl) =>
      owned(
        databaseUrl,
        [{ items: [...rules, ...rules].map((_, n) => task(`t${n}`, { fields: { dueDate: days(0) } })) }],
        async (sql, { id }) => {
          for (const [n, rule] of rules.entries())
            await sql(
              `with made as (
               insert into recurrences (account_id, workspace_id, item_id, user_id, rule, starts_on, last_on, next_on, mode, state, due_at)
               select account_id, workspace_id, id, $2, $3, current_date - 9, current_date - 9, current_date, 'day', 'active', now() from items where id = $1
               returning id)
             select graphile_worker.add_job('make_recurring', json_build_object('recurrenceId', id)) from made`,
              [id(`t${n + rules.length}`), id('ana'), rule],
            );
          return { items: rules.map((_, n) => String(id(`t${n}`))).join() };
        },
      ),
    async run(target, signal, tally) {
      const { headers, csrf } = await formsOf(target);
      const items = target.made.items!.split(',');
      let turn = 0;
      await loops(8, signal, () => {
        const at = turn++;
        const fields = { _csrf: csrf, _once: randomUUID(), revision: '0', mode: 'day', rule: rules[at % rules.length]! };
        const path = `/workspaces/${target.workspaceId}/items/${items[at % items.length]}/repeat`;
        return send(target, { path, headers, body: new URLSearchParams(fields).toString() }, tally);
      });
    },
  },
  movePreviews: {
    ...{ title: 'Previews of a move of 499 items, each linked to 50 that stay', seconds: 20, judgesMedian: true },
    mostTurnMs: MOST_TURN_MS,
    make: (databaseUrl) =>
      owned(databaseUrl, [{ items: [task('top')] }, {}], async (sql, { id }, fixtures) => {
        const insert = `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
          select account_id, id, 'task', 'Task ' || n, 'planned', 'planned', $3 from workspaces, generate_series(1, $2::int) n where id = $1 returning id`;
        const idsOf = async (count: number, above: number | null) => (await sql(insert, [id('apollo'), count, above])).map((row) => row.id);
        const [moving, outside] = [await idsOf(499, id('top')), await idsOf(499, null)];
        const depend = `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id)
          select account_id, workspace_id, id, ($2::bigint[])[1 + (id * 7 + n * 9) % 499] from items, generate_series(1, 50) n where id = any($1)`;
        for (const ids of [
          [moving, outside],
          [outside, moving],
        ])
          await sql(depend, ids);
        const target = await fixtures.workspace(
          (await sql('select account_id from workspaces where id = $1', [id('apollo')]))[0].account_id,
        );
        await fixtures.member(target, id('ana'));
        return { preview: `/workspaces/${id('apollo')}/move?ids=${id('top')}&to=${target}` };
      }),
    run: (target, signal, tally) => loops(8, signal, () => send(target, page(target, target.made.preview!), tally)),
  },
  searches: {
    ...{ title: 'Eight agents of one person × 4 searches of “xxxxxxxx” in 200,000 items', seconds: 30 },
    make: manyTexts,
    async run(target, signal, tally) {
      const agents = target.made.agents!.split(' ');
      await loops(4 * AGENTS, signal, (n) => {
        const search = 'x'.repeat(8 + (n % 8));
        return send(
          target,
          callTool({ agentKey: agents[n % AGENTS]! }, 'svc_find_work', { search, assignee: 'all', status: 'all' }),
          tally,
        );
      });
    },
  },
};
