/** Invites several people at once and shows the result per address (behaviour §30.7). */
import type { InvitedAll } from '../../accounts/invite.ts';
import { memberRoles } from '../../accounts/schema.ts';
import type { PeopleSeen } from '../../overviews/people.ts';
import { card } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { badge } from '../frame/components/marks.ts';
import { table } from '../frame/components/row.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { copyable } from '../frame/secret.ts';
import { option } from '../frame/widgets.ts';
import { linkMails, sending } from './linkMail.ts';
import { PATH, roleSelect, stateOf } from './peopleParts.ts';

const PREFIX = 'workspace-';

export function inviteCard(request: PageRequest, workspaces: PeopleSeen['workspaces'], fields: Fields, problem: Content): Content {
  const owner = request.user.accountRole === 'owner';
  const form = postForm(
    request,
    { action: `${PATH}/invitations`, once: true },
    fields.field(
      'addresses',
      (mark) =>
        html`<textarea name="addresses" rows="4" required maxlength="20000" placeholder="Ana Lind <ana@acme.example>, bo@acme.example"${mark}>${fields.value('addresses')}</textarea>`,
      'Up to 30 addresses, separated by lines, commas or spaces. To add a name, write: Name <address>.',
    ),
    fields.field(
      'accountRole',
      (mark) => roleSelect(fields, { owner, now: 'member', whom: 'all of them', mark }),
      null,
      'Role in the account',
    ),
    workspaces.length > 0 && workspaceRoles(workspaces, fields),
    button('Invite', { kind: 'primary', icon: 'send' }),
  );
  return card('Invite people', html`${problem}${form}`, { id: 'invite' });
}

function workspaceRoles(workspaces: PeopleSeen['workspaces'], fields: Fields): Content {
  const roles = workspaces.map(({ id, name }) => {
    const chosen = fields.value(`${PREFIX}${id}`);
    const offered = [option('', 'not a member', chosen), ...memberRoles.toReversed().map((role) => option(role, role, chosen))];
    return html`<label>${name} <select name="${PREFIX}${id}"${fields.mark('workspaces')}>${offered}</select></label>`;
  });
  return html`<fieldset class="many"><legend>Workspaces to join</legend>${fields.note('workspaces')}<div class="sides">${roles}</div></fieldset>`;
}

export const workspacesIn = (form: Form) =>
  form.names
    .filter((name) => name.startsWith(PREFIX) && form.text(name) !== '')
    .map((name) => ({ workspaceId: Number(name.slice(PREFIX.length)), role: form.text(name) }));

/** The links are shown only once. */
export function answerPage(request: PageRequest, { invited, here, faulty }: InvitedAll, next?: { href: string; label: string }): Answer {
  const { basePath } = request;
  const link = (id: number, name: string) => html`<a href="${basePath}${PATH}/${id}">${name}</a>`;
  const rows = [
    ...invited.map((one, at) => [
      html`${link(one.id, one.name)}<br><small class="muted">${one.email}</small>`,
      badge('green', 'check', 'invited'),
      one.link !== null && copyable(`link-${at}`, one.link, 'Copy link'),
    ]),
    ...here.map((one) => [
      html`${link(one.id, one.name)}<br><small class="muted">${one.email}</small>`,
      badge('plain', 'user', 'already here'),
      `This user was not changed${hereWords(stateOf({ ...one, kind: 'person', erased: false }))}.`,
    ]),
    ...faulty.map((typed) => [
      typed,
      badge('red', 'circle-alert', 'invalid'),
      'This is not an email address. Correct it and invite again.',
    ]),
  ];
  const columns = [{ label: 'Address' }, { label: 'Result' }, { label: 'Link (valid for 7 days)' }];
  const mails = invited.filter(({ mailed }) => mailed).map(({ id, name }) => ({ userId: id, name, mail: sending }));
  return {
    title: 'Invitations',
    crumbs: html`<a href="${basePath}${PATH}">People</a>`,
    body: html`<p role="status">${sumOf(invited.length, here.length, faulty.length)}</p>
${linkMails(request, mails)}${table({ caption: 'Invitations', columns }, rows)}${next ? html`<p>${linkButton(next.href, next.label, { kind: 'primary' })}</p>` : html`<p><a href="${basePath}${PATH}">Back to People</a></p>`}`,
  };
}

const hereWords = (state: string | null): string =>
  state === null ? '' : ` (${state.replace('no password yet', 'invited, not joined yet')})`;

const sumOf = (invited: number, here: number, faulty: number): string =>
  [`${invited} invited`, here > 0 && `${here} already here`, faulty > 0 && `${faulty} invalid`].filter(Boolean).join(', ').concat('.');
