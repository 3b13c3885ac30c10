/** One user with every credential of theirs, who does the dearest things that are allowed, as often as the limits let them. */
import { randomUUID } from 'node:crypto';
import { type Attack, loops } from './attack.ts';
import { agents, csrfOf, saveItem, send, sessionOf, toolCall } from './requests.ts';

/** As many elements, with as long attributes, as a note may have. */
const dearNote = '<a href="http://a.b">x</a>'.repeat(5_000);
const record = { type: 'task', title: 'Long', description: 'x'.repeat(50_000), status: 'planned', fields: {} };

export const bySaturation: Record<string, Attack> = {
  saturation: {
    ...{ title: 'One user’s dearest notes, saves and pages, with key, agent and session', seconds: 30, judgesMedian: true },
    async run(target, signal, tally) {
      const csrf = await csrfOf(target);
      const session = sessionOf(target);
      const form = { ...session, 'Content-Type': 'application/x-www-form-urlencoded' };
      const kinds = [
        () => ({ ...agents(target), body: toolCall('svc_personal_notes_create', { requestId: randomUUID(), html: dearNote }) }),
        () => ({
          ...{ path: '/my/notes/new', headers: form },
          body: new URLSearchParams({ _csrf: csrf, _once: randomUUID(), html: dearNote, folderId: '0' }).toString(),
        }),
        () => ({ ...saveItem(target), body: JSON.stringify({ workspaceId: target.longWorkspaceId, record }) }),
        () => ({ method: 'GET', path: `/workspaces/${target.longWorkspaceId}`, headers: session }),
      ];
      await loops(16, signal, (n) => send(target, kinds[n % kinds.length]!(), tally));
    },
  },
};
