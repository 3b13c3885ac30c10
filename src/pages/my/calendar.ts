/** /my/calendar: the secret URL of the calendar feed, and the feed itself (behaviour §25.3). */
import ical, { ICalEventStatus } from 'ical-generator';
import { hashSecret } from '../../access/secrets.ts';
import { runPiece, turnOf } from '../../access/throttle/loopShare.ts';
import { type CalendarPage, endCalendarFeed, getCalendarFeed, makeCalendarFeed, readCalendar } from '../../plans/calendar.ts';
import type { PlanBlock } from '../../plans/schema.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { addressOf } from '../account/forgotten.ts';
import { clockOf } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { admit, call } from '../frame/session.ts';

const PATH = '/my/calendar';

async function show(request: PageRequest): Promise<Answer> {
  const feed = await call(request, getCalendarFeed, {});
  return {
    title: 'Subscribe to your plan',
    crumbs: html`<a href="${request.basePath}/my">My time</a>`,
    body: html`<p>See your planned time in your calendar app. Anyone with the secret address can read your plan. Do not share it.</p>
${feed && html`<p class="muted">Address created: ${moment(feed.createdAt, clockOf(request))}. Last read by a calendar: ${moment(feed.lastUsedAt, clockOf(request), 'never')}.</p>`}
<div class="actions">${make(request, feed !== null)}${feed && end(request)}</div>`,
  };
}

const make = (request: PageRequest, again: boolean): Content =>
  postForm(
    request,
    {
      action: PATH,
      once: true,
      class: 'plain',
      confirm: again ? 'Create a new address? Calendars that use the old address stop showing your plan.' : null,
    },
    button(again ? 'Create new address' : 'Create address', { kind: 'primary', icon: 'link' }),
  );

const end = (request: PageRequest): Content =>
  postForm(
    request,
    { action: `${PATH}/end`, class: 'plain', confirm: 'Revoke the address? Calendars that use it stop showing your plan.' },
    button('Revoke address', { kind: 'danger' }),
  );

async function makeOne(request: PageRequest): Promise<Answer> {
  const made = await call(request, makeCalendarFeed, {});
  const address = `${request.deps.config.baseUrl}/calendar/${made.secret}.ics`;
  return secretPage({
    title: 'Your calendar address',
    secret: address,
    about: 'Copy the address now. It is shown only once. In your calendar app, add a calendar from a URL.',
    what: 'the address',
    back: { path: `${request.basePath}${PATH}`, label: 'Back to your calendar' },
  });
}

async function endIt(request: PageRequest): Promise<Answer> {
  await call(request, endCalendarFeed, {});
  return { redirect: PATH, notice: 'removed' };
}

const BLOCKS_A_PIECE = 20;
/** More than a person can have scheduled. Feeds leave out the earliest beyond. */
const MOST_SHOWN = 3_000;
const END = 'END:VCALENDAR';

/** The feed in pieces, so that a long one neither holds the event loop nor is in memory as a whole. Its owner is charged for them. */
async function* piecesOf(request: PublicRequest, first: CalendarPage): AsyncGenerator<string> {
  const { ctx, deps, params } = request;
  const { userId } = first;
  const turn = () => turnOf(userId, () => !ctx.res.closed, Number.POSITIVE_INFINITY);
  let shown = 0;
  for (let page = first; ; ) {
    for (let at = 0; at === 0 || at < page.blocks.length; at += BLOCKS_A_PIECE) {
      await turn();
      const text = await runPiece(userId, () => calendarOf(page.blocks.slice(at, at + BLOCKS_A_PIECE), deps.config.baseUrl));
      yield text.slice(shown + at === 0 ? 0 : text.indexOf('BEGIN:VEVENT'), text.lastIndexOf(END));
    }
    shown += page.blocks.length;
    const last = page.blocks.at(-1);
    if (!page.hasMore || !last || shown >= MOST_SHOWN) break;
    await turn();
    page = await call(request, readCalendar, { token: params.token, before: { startsAt: last.startsAt, id: last.id } });
  }
  yield `${END}\r\n`;
}

/** For readers of iCalendar that end lines at any line separator of Unicode. */
const withPlainLines = (text: string) => text.replace(/[\u2028\u2029\u0085]/g, '\n');

/** RFC 5545: a changed block keeps its UID and increases SEQUENCE. */
function calendarOf(blocks: readonly PlanBlock[], baseUrl: string): string {
  const host = new URL(baseUrl).host;
  const calendar = ical({ name: 'Stint', prodId: { company: 'Stint', product: 'Plan' }, ttl: 900 });
  for (const { id, revision, title, startsAt, endsAt, note, workspaceId, itemId, state } of blocks) {
    const event = calendar.createEvent({
      id: `block-${id}@${host}`,
      sequence: revision,
      start: new Date(startsAt),
      end: new Date(endsAt),
      summary: withPlainLines(title ?? 'Planned work'),
      status: state === 'missed' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    });
    if (note) event.description(withPlainLines(note));
    if (itemId !== null) event.url(`${baseUrl}/workspaces/${workspaceId}/items/${itemId}`);
  }
  return calendar.toString();
}

async function give(request: PublicRequest): Promise<Answer> {
  const { ctx, deps } = request;
  const { token = '' } = request.params;
  await admit(deps.limiter, `calendars-of:${addressOf(ctx.ip)}`);
  await admit(deps.limiter, `calendar:${hashSecret(token).toString('base64url')}`);
  const first = await call(request, readCalendar, { token });
  return { lines: piecesOf(request, first), owner: first.userId, type: 'text/calendar; charset=utf-8', name: 'stint.ics' };
}

export const calendarRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: PATH, handle: withPasswordConfirmation(makeOne) },
  { method: 'POST', path: `${PATH}/end`, handle: endIt },
  { method: 'GET', path: '/calendar/:token.ics', public: true, handle: give },
];
