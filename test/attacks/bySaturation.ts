/** One user with all of their credentials sends the most expensive allowed requests, as often as the limits allow. */
import { randomUUID } from 'node:crypto';
import { privateMegabytes } from '../bench/measure.ts';
import { type Attack, loops, type Target } from './attack.ts';
import { callTool, csrfOf, saveItem, send, sessionOf } from './requests.ts';

/** As many elements and as long attributes as a note may have. */
const expensiveNote = '<a href="http://a.b">x</a>'.repeat(5_000);
const record = { type: 'task', title: 'Long', description: 'x'.repeat(50_000), status: 'planned', fields: {} };

const filters = [
  ...['status=all', 'assignee=me', 'priority=normal', 'due=week', 'within=1', 'mine=1', 'archived=1', 'search=nothing'],
  ...['type=milestone', 'sort=-estimate'],
];
/** Every combination of filters, each a statement of its own. */
const selections = Array.from({ length: 2 ** filters.length }, (_, n) => filters.filter((_filter, at) => (n >> at) & 1).join('&'));

const MOST_BACKEND_MEGABYTES = 250;

export const SESSIONS = 12;
/** One person's limit, twice in case a minute ends. */
const MOST_SERVED = 2 * 600;
const asked = ({ workspaceId }: Target) =>
  [
    ['REST', '/api/v1/capabilities'],
    ['REST', `/api/v1/items?workspaceId=${workspaceId}&limit=1`],
    ['page', '/my'],
  ] as const;

export const bySaturation: Record<string, Attack> = {
  saturation: {
    ...{ title: 'One user’s most expensive notes, saves and pages, with key, agent and session', seconds: 30, judgesMedian: true },
    async run(target, signal, tally) {
      const csrf = await csrfOf(target);
      const session = sessionOf(target);
      const form = { ...session, 'Content-Type': 'application/x-www-form-urlencoded' };
      const kinds = [
        () => callTool(target, 'svc_personal_notes_create', { requestId: randomUUID(), html: expensiveNote }),
        () => ({
          ...{ path: '/my/notes/new', headers: form },
          body: new URLSearchParams({ _csrf: csrf, _once: randomUUID(), html: expensiveNote, folderId: '0' }).toString(),
        }),
        () => ({ ...saveItem(target), body: JSON.stringify({ workspaceId: target.longWorkspaceId, record }) }),
        () => ({ method: 'GET', path: `/workspaces/${target.longWorkspaceId}`, headers: session }),
      ];
      await loops(16, signal, (n) => send(target, kinds[n % kinds.length]!(), tally));
    },
  },
  sessions: {
    ...{ title: 'One user’s 12 sessions at once, over REST and pages', seconds: 30, judgesMedian: true },
    run: (target, signal, tally) =>
      loops(SESSIONS, signal, (n) => {
        const [face, path] = asked(target)[n % 3]!;
        const headers = sessionOf({ ...target, cookie: target.cookies[n]! });
        return send(target, { method: 'GET', path, headers }, { ...tally, add: (what) => tally.add(`${face} ${what}`) });
      }),
    check: async (_sql, _target, answers) =>
      ['REST', 'page'].flatMap((face) => {
        const served = answers[`${face} 200`] ?? 0;
        return served > 0 && served <= MOST_SERVED ? [] : [`${served} ${face} answers`];
      }),
  },
  filters: {
    ...{ title: 'Exports of a list with 1,024 combinations of filters, repeatedly', seconds: 60 },
    // Lets the attack request every combination in time: a page would wait for its share of the event loop.
    env: { RATE_LIMIT_PAGES: '100000' },
    async run(target, signal, tally) {
      const headers = sessionOf(target);
      let turn = 0;
      const next = () => `/workspaces/${target.workspaceId}/list.csv?${selections[turn++ % selections.length]}`;
      await loops(4, signal, () => send(target, { method: 'GET', path: next(), headers }, tally));
    },
    async check(sql, _target, answers) {
      const backends = await sql(`select pid from pg_stat_activity where application_name = 'stint web' and datname = current_database()`);
      const most = Math.max(...backends.map(({ pid }) => privateMegabytes(pid!)));
      Object.assign(answers, { 'MB of a backend': Math.round(most) });
      return [
        ...((answers[200] ?? 0) < selections.length ? ['not every combination was requested'] : []),
        ...(most < MOST_BACKEND_MEGABYTES ? [] : [`a backend of ${most.toFixed(0)} MB`]),
      ];
    },
  },
};
