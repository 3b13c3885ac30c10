/** The state of mailed links, updated live (behaviour §12.32). */
import type { Invited } from '../../accounts/invite.ts';
import { isSending, type LinkMail, type PersonLinkMail, type RequestedAddress } from '../../accounts/linkMails.ts';
import { button } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { copyable } from '../frame/secret.ts';
import { call } from '../frame/session.ts';
import { isOutboundHeld } from '../frame/widgets.ts';
import { PATH } from './peopleParts.ts';

const MAILS = `${PATH}/mails`;
const ASKED = '/profile/mail';

type Line = Pick<PersonLinkMail, 'userId' | 'name' | 'mail'>;
export const sending: LinkMail = { state: 'sending', reason: null };

/** The page after creating a link: the link, if it may be shown, and the state of its mail. */
export function linkPage(request: PageRequest, userId: number, { link, mailed, known }: Invited): Answer {
  const ends = `works once and expires in ${known ? '24 hours' : '7 days'}.`;
  const shown =
    link === null
      ? html`<p>The email contains a link to set a new password. The link ${ends}</p>`
      : html`<p>Give this link to the person to set their password. It ${ends}</p>
<div class="actions">${copyable('link', link, 'Copy link')}</div>`;
  return {
    title: known ? 'Password link' : 'Invitation',
    body: html`${shown}${linkMails(request, mailed ? [{ userId, name: '', mail: sending }] : [])}
<p><a href="${request.basePath}${PATH}">Back to People</a></p>`,
  };
}

const isHeld = ({ deps, user }: PageRequest): boolean => isOutboundHeld(deps.config, user);

/** A long poll: the server answers when the state changes, or after a while. */
const updated = (part: string, at: string): Content => html` hx-get="${at}" hx-trigger="load"${fetchPart(part)}`;

export function linkMails(request: PageRequest, people: readonly Line[]): Content {
  const mailed = people.filter(({ mail }) => mail);
  if (mailed.length === 0) return null;
  const at = `${request.basePath}${MAILS}?of=${mailed.map(({ userId }) => userId).join(',')}`;
  const waits = !isHeld(request) && mailed.some(({ mail }) => isSending(mail));
  return html`<div id="link-mails" role="status"${waits && updated('#link-mails', `${at}&wait=1`)}>${mailed.map(
    (one) => html`<div>${mailed.length > 1 && html`${one.name}: `}${stateOf(request, one)}</div>`,
  )}${waits && html`<a href="${at}">Refresh</a>`}</div>`;
}

function stateOf(request: PageRequest, { userId, mail }: Line): Content {
  if (mail?.state === 'sent') return 'The email was sent.';
  if (mail?.state !== 'failed') return isHeld(request) ? 'On hold. It is sent later.' : 'Sending…';
  const form = { action: `${PATH}/invite`, hidden: { userId, handOver: 'yes' }, class: 'plain' };
  const anew = postForm(request, form, button('Create a link to copy', { small: true }));
  return html`The email was not sent. ${mail.reason}<div class="actions">${anew}</div>`;
}

async function showMails(request: PageRequest): Promise<Answer> {
  const userIds = request.query.get('of')?.split(',').map(Number);
  const wait = request.query.has('wait');
  const people = userIds ? await call(request, request.deps.linkMails.getLinkMails, { userIds, wait }) : [];
  return {
    title: 'Invitation emails',
    crumbs: html`<a href="${request.basePath}${PATH}">People</a>`,
    body: linkMails(request, people) ?? html`<p id="link-mails">No emails are being sent.</p>`,
  };
}

export function requestedAddressMail(request: PageRequest, asked: RequestedAddress | null): Content {
  if (!asked?.mail) return html`<p id="asked-mail"></p>`;
  const { email, mail } = asked;
  const to = html`<b>${email}</b>`;
  const at = `${request.basePath}${ASKED}`;
  if (mail.state === 'sent')
    return html`<p id="asked-mail" role="status">We have sent an email to ${to}. Open its link within 24 hours.</p>`;
  if (mail.state === 'failed')
    return html`<p id="asked-mail" role="status">The link to ${to} was not sent. ${mail.reason} Request a new link here.</p>`;
  if (isHeld(request)) return html`<p id="asked-mail" role="status">The link to ${to} is on hold. It is sent later.</p>`;
  return html`<p id="asked-mail" role="status"${updated('#asked-mail', `${at}?wait=1`)}>Sending a link to ${to}… <a href="${at}">Refresh</a></p>`;
}

async function showAsked(request: PageRequest): Promise<Answer> {
  const asked = await call(request, request.deps.linkMails.getAskedAddress, { wait: request.query.has('wait') });
  return {
    title: 'New email address',
    crumbs: html`<a href="${request.basePath}/profile">Your profile</a>`,
    body: requestedAddressMail(request, asked),
  };
}

export const linkMailRoutes: PageRoute[] = [
  { method: 'GET', path: MAILS, handle: showMails },
  { method: 'GET', path: ASKED, handle: showAsked },
];
