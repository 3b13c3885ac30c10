/** /settings/sessions: lists and ends sessions (behaviour §12.24). */
import { IDLE_DAYS, SESSION_DAYS } from '../../access/secrets.ts';
import { endAllSessions, endSession, listSessions, type SessionRow } from '../../accounts/sessions.ts';
import { clockOf } from '../frame/clock.ts';
import { badge } from '../frame/components/marks.ts';
import { ago, moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call, setSession } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { profileTabs } from './profile.ts';

const PATH = '/settings/sessions';

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const sessions = await call(request, listSessions, {});
  return {
    title: 'Your sessions',
    status: refusal?.status ?? 200,
    body: html`${profileTabs(request, PATH)}${problemBox(refusal?.problem)}
<div id="sessions"><p>Sessions end after ${IDLE_DAYS} days without use, and after ${SESSION_DAYS} days at the latest.</p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Device</th><th scope="col">Address</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col"><span class="vh">End</span></th></tr></thead>
<tbody>${sessions.map((session) => row(request, session))}</tbody>
</table></div>
${postForm(request, { action: `${PATH}/end-all`, confirm: 'Sign out everywhere? All sessions end, including this one.', class: 'plain' }, html`<button class="secondary outline">Sign out everywhere</button>`)}</div>`,
  };
}

const row = (request: PageRequest, { id, device, address, createdAt, lastUsedAt, current }: SessionRow): Content =>
  html`<tr><th scope="row">${device ?? 'Another browser'}${current && html` ${badge('accent', 'check', 'this session')}`}</th><td data-label="Address">${address ?? 'Unknown'}</td>
<td data-label="Signed in">${moment(createdAt, clockOf(request))}</td><td data-label="Last used">${ago(lastUsedAt, clockOf(request))}</td>
<td>${postForm(request, { action: `${PATH}/end`, hidden: { sessionId: id }, live: '#sessions', class: 'plain' }, html`<button class="secondary outline">${current ? 'Sign out here' : 'End session'}</button>`)}</td></tr>`;

const form = handlersOn(show);

function signedOut({ ctx, deps }: PageRequest): Answer {
  setSession(ctx, deps.config, null);
  return { redirect: '/sign-in', notice: 'signedOut' };
}

export const sessionRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  {
    method: 'POST',
    path: `${PATH}/end`,
    handle: form(endSession, (sent) => ({ sessionId: sent.id('sessionId') }), { redirect: PATH, notice: 'sessionEnded' }),
  },
  {
    method: 'POST',
    path: `${PATH}/end-all`,
    handle: form(
      endAllSessions,
      () => ({}),
      (_, request) => signedOut(request),
    ),
  },
];
