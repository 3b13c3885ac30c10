/** One user sends the most expensive allowed requests and reads the most expensive pages, as often as the limits allow (behaviour §13.15,
 *  §18.15). */
import { randomUUID } from 'node:crypto';
import { type Attack, loops, type Target } from './attack.ts';
import { hostileTexts } from './costly.ts';
import { callTool, formsOf, restHeaders, saveItem, send, sessionOf } from './requests.ts';

/** As many elements and as long attributes as a note may have. */
const expensiveNote = '<a href="http://a.b">x</a>'.repeat(5_000);
const record = { type: 'task', title: 'Long', description: 'x'.repeat(50_000), status: 'planned', fields: {} };

/** Longest time that a request may block the event loop. */
const MOST_TURN_MS = 50;

const page = (target: Target, path: string) => ({ method: 'GET', path, headers: sessionOf(target) });

export const bySaturation: Record<string, Attack> = {
  saturation: {
    ...{ title: 'One user’s most expensive notes, saves and pages, with key, agent and session', seconds: 30, judgesMedian: true },
    async run(target, signal, tally) {
      const { headers, csrf } = await formsOf(target);
      const kinds = [
        () => callTool(target, 'svc_personal_notes_create', { requestId: randomUUID(), html: expensiveNote }),
        () => ({
          ...{ path: '/my/notes/new', headers },
          body: new URLSearchParams({ _csrf: csrf, _once: randomUUID(), html: expensiveNote, folderId: '0' }).toString(),
        }),
        () => ({ ...saveItem(target), body: JSON.stringify({ workspaceId: target.workspaceId, record }) }),
        () => page(target, `/workspaces/${target.workspaceId}`),
      ];
      await loops(16, signal, (n) => send(target, kinds[n % kinds.length]!(), tally));
    },
  },
  comments: {
    ...{ title: 'Comments of 12,000 characters of cells, names and links, written and read', seconds: 30, judgesMedian: true },
    mostTurnMs: MOST_TURN_MS,
    async run(target, signal, tally) {
      const { workspaceId, hostileItems } = target.costly;
      let turn = 0;
      await loops(16, signal, (n) => {
        const at = turn++ % hostileItems.length;
        const id = hostileItems[at]!;
        if (n > 0) return send(target, page(target, `/workspaces/${workspaceId}/items/${id}`), tally);
        const body = JSON.stringify({ workspaceId, id, body: `${hostileTexts[at]!.slice(0, -40)}\n${randomUUID()}` });
        return send(target, { path: '/api/v1/comments', headers: restHeaders(target), body }, tally);
      });
    },
  },
  reads: {
    ...{ title: 'What-if, timelines, goals, reports, capacity, searches and exports of one person', seconds: 30, judgesMedian: true },
    mostTurnMs: MOST_TURN_MS,
    async run(target, signal, tally) {
      const { workspaceId, requirements, task } = target.costly;
      const at = `/workspaces/${workspaceId}`;
      const year = { from: `${new Date().getUTCFullYear() - 1}-01-15`, to: `${new Date().getUTCFullYear()}-01-10` };
      const spans = new URLSearchParams({ workspaceId: String(workspaceId), ...year }).toString();
      let turn = 0;
      const paths = [
        () => `/capacity/what-if?workspaceId=${workspaceId}&e${task}=${turn}`,
        () => `${at}?view=timeline&${requirements.map((id) => `tasks=${id}`).join('&')}&start=2026-01-${10 + (turn % 20)}`,
        () => `${at}?type=goal&sort=${turn % 2 ? 'title' : '-title'}`,
        () => `/reports/time?${spans}&by=item`,
        () => `/capacity?workspaceId=${workspaceId}`,
        () => `/search?q=costly%20title%20${turn % 100}`,
        () => `${at}/list.csv?type=task`,
        () => `/reports/time.csv?${spans}`,
      ];
      await loops(16, signal, (n) => {
        turn++;
        return send(target, page(target, paths[n % paths.length]!()), tally);
      });
    },
  },
};
