/** What a penetration test found: moves that carried rights, and answers that told too much (M1, M2 and notes). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSecret } from '../../src/access/secrets.ts';
import { Visitor } from '../support/visitor.ts';
import type { Attack, Tally, Target } from './attack.ts';
import { owned, task } from './byFindings.ts';
import { restHeaders } from './requests.ts';

const [TIME_NOTE, FIRST_TEXT, CHAT] = ['note of other time', 'text before it was edited', 'T000-B000-secret-part'];
const base = ({ port }: Target) => `http://127.0.0.1:${port}/stint`;

const visitorOf = (target: Target): Visitor =>
  Object.assign(new Visitor(base(target)), { cookie: target.cookie.slice('JSESSIONID='.length) });
const get = (target: Target, path: string) => fetch(base(target) + path, { headers: restHeaders(target) });

/** Confirms the preview of a move, if it may be. */
async function move(target: Target, tally: Tally, { from, item, to }: { from: string; item: string; to: string }): Promise<void> {
  const visitor = visitorOf(target);
  const shown = await visitor.go(`/workspaces/${from}/move?ids=${item}&to=${to}`);
  tally.add(`preview ${shown.status}`);
  if (!shown.html.includes('name="seen"')) return;
  const { path, fields } = visitor.form('/move', (found) => found.has('seen'));
  tally.add(`move ${(await visitor.post(path, fields, { Origin: 'http://localhost' })).status}`);
}

const boss = () => ({ ref: 'boss', email: `${randomUUID()}@x.example`, name: 'Boss' });
const place = (ref: string, ana: object, more = {}) => ({
  ...{ ref, name: ref, ...more },
  members: [{ user: 'boss', role: 'owner' as const }, { user: 'ana', ...ana } as { user: string; role: 'owner' | 'manager' | 'member' }],
});

export const byRights: Record<string, Attack> = {
  moves: {
    ...{ title: 'Moves of approvals, hidden comments, other people’s time and earlier texts to where one has more rights', seconds: 8 },
    make: (databaseUrl) =>
      owned(
        databaseUrl,
        [
          { items: [{ ref: 'approved', type: 'requirement', title: 'Approved' }] },
          {
            users: [boss()],
            workspaces: [
              place('approving', { role: 'member' }),
              place('silent', { role: 'owner', access: { comments: 'none' } }, { items: [task('commented')] }),
              place('shared', { role: 'manager', timeOversight: false }, { items: [task('worked')] }),
            ],
          },
        ],
        async (sql, { id }) => {
          await sql(`update items set status = 'approved', status_key = 'approved' where id = $1`, [id('approved')]);
          await sql('update memberships set time_oversight = true where workspace_id = $1', [id('apollo')]);
          for (const item of ['commented', 'worked'])
            await sql(
              `insert into comments (account_id, workspace_id, item_id, author_id, body, original_body, edited_at)
               select account_id, workspace_id, id, $2, 'Now', $3, now() from items where id = $1`,
              [id(item), id('boss'), FIRST_TEXT],
            );
          await sql(
            `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note)
             select account_id, workspace_id, $2, id, 'manual', current_date, 30, $3 from items where id = $1`,
            [id('worked'), id('boss'), TIME_NOTE],
          );
          const names = ['apollo', 'approving', 'silent', 'shared', 'approved', 'commented', 'worked'];
          return Object.fromEntries(names.map((name) => [name, String(id(name))]));
        },
      ),
    async run(target, _signal, tally) {
      const { apollo = '', approving = '', silent = '', shared = '', approved = '', commented = '', worked = '' } = target.made;
      await move(target, tally, { from: apollo, item: approved, to: approving });
      await move(target, tally, { from: silent, item: commented, to: apollo });
      await move(target, tally, { from: shared, item: worked, to: apollo });
      const today = new Date().toISOString().slice(0, 10);
      const visitor = visitorOf(target);
      for (const path of [
        `/workspaces/${apollo}/items/${worked}`,
        `/reports/time?from=${today}&to=${today}&workspaceId=${apollo}&by=item`,
        `/reports/time.csv?from=${today}&to=${today}&workspaceId=${apollo}`,
      ]) {
        const { html } = await visitor.go(path);
        for (const [what, text] of Object.entries({ 'a time note': TIME_NOTE, 'an earlier text': FIRST_TEXT, 'other time': 'Boss' }))
          if (html.includes(text) && !(what === 'other time' && path.includes('/items/'))) tally.add(`shows ${what}`);
      }
    },
    async check(sql, { made, workspaceId }, answers) {
      const [left] = await sql(
        `select count(*) filter (where id = $1 and status = 'approved' and workspace_id <> $4)::integer as approved,
           count(*) filter (where id = $2 and workspace_id = $4)::integer as hidden, count(*) filter (where id = $3 and workspace_id = $4)::integer as worked
         from items where id = any(array[$1, $2, $3]::bigint[])`,
        [made.approved, made.commented, made.worked, workspaceId],
      );
      Object.assign(answers, left);
      return [
        ...(left!.approved ? ['arrived approved'] : []),
        ...(left!.hidden ? ['hidden comments moved'] : []),
        ...(answers['move 200'] ? [] : ['nothing moved']),
        ...Object.keys(answers).filter((what) => what.startsWith('shows')),
      ];
    },
  },
  answers: {
    ...{ title: 'q=%00, line separators in a calendar, addresses of chat webhooks', seconds: 8 },
    make: (databaseUrl) =>
      owned(databaseUrl, [{ items: [task('planned')] }], async (sql, { id }) => {
        const { secret, hash } = newSecret('calendar');
        await sql(
          `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, note)
           select account_id, workspace_id, $2, id, '2026-01-01T10:00', '2026-01-01T11:00', 'UTC', now(), now() + interval '1 hour',
             'a' || chr(8232) || 'ATTENDEE:b' || chr(8233) || chr(133) || 'c' from items where id = $1`,
          [id('planned'), id('ana')],
        );
        await sql('insert into calendar_feeds (account_id, user_id, token_hash) select account_id, id, $2 from users where id = $1', [
          ...[id('ana'), hash],
        ]);
        for (const format of ['slack', 'teams', 'discord'])
          await sql(
            `insert into webhooks (account_id, workspace_id, user_id, url, secret, era, xact, change_id, format)
             select account_id, id, $2, 'https://chat.example/' || $3::text || '/rest', '\\x00', 0, '0', 0, $4 from workspaces where id = $1`,
            [id('apollo'), id('ana'), CHAT, format],
          );
        return { feed: `/calendar/${secret}.ics` };
      }),
    async run(target, _signal, tally) {
      const visitor = visitorOf(target);
      const at = `/workspaces/${target.workspaceId}`;
      for (const path of ['/search?q=%00', `${at}?search=%00`, `${at}/pick?q=%00`, '/my?q=%00', `${at}/list.csv?search=%00`])
        tally.add(`NUL ${(await visitor.request(path)).status}`);
      for (const path of [`/api/v1/items?workspaceId=${target.workspaceId}&search=%00`, `/api/v1/items?workspaceId=%00`])
        tally.add(`NUL ${(await get(target, path)).status}`);
      const feed = await (await get(target, target.made.feed!)).text();
      tally.add(feed.includes('BEGIN:VEVENT') ? 'a feed' : 'no feed');
      if (/[\u2028\u2029\u0085]/.test(feed) || /^ATTENDEE/m.test(feed)) tally.add('shows a line separator');
      const webhooks = await visitor.go(`${at}/webhooks`);
      if (webhooks.html.includes('chat.example')) tally.add('webhooks');
      for (const { html } of [webhooks, await visitor.go(`${at}/settings`)])
        if (html.includes(CHAT)) tally.add('shows the address of a chat');
    },
    check: async (_sql, _target, answers) => [
      ...(answers['a feed'] && answers.webhooks ? [] : ['the feed or the webhooks are not there']),
      ...Object.keys(answers).filter((what) => what.startsWith('shows') || what.startsWith('NUL 5')),
    ],
  },
  latest: {
    ...{ title: 'Polls of after=latest while someone else changes what the poller cannot see', seconds: 8 },
    make: (databaseUrl) =>
      owned(
        databaseUrl,
        [
          { members: [{ user: 'blind', role: 'member', access: { releases: 'none' } }] },
          { users: [{ ref: 'blind', email: `${randomUUID()}@x.example`, name: 'Blind' }] },
        ],
        async (_sql, { id }, fixtures) => ({ blind: await fixtures.key(id('blind')) }),
      ),
    async run(target, signal, tally) {
      const blind = { ...target, restKey: target.made.blind! };
      const poll = async () => {
        const answer = await get(blind, `/api/v1/changes?workspaceId=${target.workspaceId}&after=latest`);
        tally.add(`poll ${answer.status}`);
        return `${answer.headers.get('etag')} ${await answer.text()}`;
      };
      for (let n = 0; n < 5 && !signal.aborted; n++) {
        const [before, unchanged] = [await poll(), await poll()];
        const record = { type: 'release', title: `Hidden ${n}`, description: '', status: 'planned', fields: {} };
        const saved = await fetch(`${base(target)}/api/v1/items/save`, {
          ...{ method: 'POST', headers: restHeaders(target), body: JSON.stringify({ workspaceId: target.workspaceId, record }) },
        });
        tally.add(`change ${saved.status}`);
        await sleep(500);
        // Answers differ either always or never.
        if ((before === unchanged) !== (unchanged === (await poll()))) tally.add('moved on');
      }
    },
    check: async (_sql, _target, answers) => [
      ...(answers['change 200'] ? [] : ['nothing was changed']),
      ...(answers['moved on'] ? ['it moves with hidden changes'] : []),
    ],
  },
};
