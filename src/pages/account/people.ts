/** /settings/people: search, invite and add people (behaviour §30.6, §30.7). */

import { userKinds } from '../../accounts/schema.ts';
import { listPeople, MOST_PEOPLE, type PeopleSeen, type PersonLine } from '../../overviews/people.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { avatar } from '../frame/components/avatar.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { ago, hours } from '../frame/components/when.ts';
import { type Fields, formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, problemBox, searchIn, zoneSelect } from '../frame/widgets.ts';
import { answerPage, inviteCard, workspacesIn } from './invite.ts';
import { linkMailRoutes, linkPage } from './linkMail.ts';
import { confirmRoleChange, labels, PATH, roleSelect, stateOf } from './peopleParts.ts';
import { personRoutes } from './person.ts';

const LONGEST_NAME = 200;

async function showPeople(request: PageRequest, refused?: { refusal: Refusal; part: 'invite' | 'add' }): Promise<Answer> {
  const name = searchIn(request.query.get('q'), LONGEST_NAME);
  const seen = await call(request, listPeople, { name });
  const forms = formsOf(request, labels, refused?.refusal);
  const problem = (part: string): Content => refused?.part === part && problemBox(refused.refusal.problem);
  return {
    title: 'People',
    status: refused?.refusal.status ?? 200,
    body: html`<div class="settings">${peopleCard(request, seen, name)}
${inviteCard(request, seen.workspaces, forms(`${PATH}/invitations`), problem('invite'))}
${card('Add a person', html`${problem('add')}${addForm(request, forms(`${PATH}/add`))}`, { id: 'add' })}</div>`,
  };
}

function peopleCard(request: PageRequest, { people }: PeopleSeen, name: string): Content {
  const shown = people.slice(0, MOST_PEOPLE);
  const clock = clockOf(request);
  const columns = [
    ...['Name', 'Role', 'Last seen'].map((label) => ({ label })),
    ...['Keys', 'Agents', 'Hours a week'].map((label) => ({ label, number: true })),
  ];
  const rows = shown.map((person) => cells(request, person, clock));
  const found = rows.length
    ? table({ caption: 'People', columns }, rows)
    : html`<p class="hint">No person matches “${name}”. Try another name or address.</p>`;
  const more =
    people.length > MOST_PEOPLE && html`<p class="hint">Only the first ${MOST_PEOPLE} people are shown. Search by name to find others.</p>`;
  const hint = html`<p class="hint">Forecasts use 40 h a week for people without confirmed hours. <a href="${request.basePath}/settings/holidays">Public holidays</a> count for everyone. See all changes in the <a href="${request.basePath}/settings/audit">audit</a>.${request.user.accountRole === 'owner' && html` <a href="${request.basePath}/settings/account">Erase account</a>`}</p>`;
  const count = people.length > MOST_PEOPLE ? `${MOST_PEOPLE}+` : String(people.length);
  return card('All people', html`<div id="people">${found}${more}</div>${hint}`, {
    id: 'everybody',
    meta: count,
    action: filter(request, name),
  });
}

const filter = ({ basePath }: PageRequest, name: string): Content => {
  const at = basePath + PATH;
  return html`<form method="get" action="${at}" class="find-name" role="search" aria-label="People" data-filters hx-get="${at}" hx-target="#people" hx-select="#people" hx-swap="outerMorph" hx-push-url="true" hx-sync="this:replace"><input type="search" name="q" value="${name}" maxlength="${LONGEST_NAME}" placeholder="Find by name" aria-label="Find by name" autocomplete="off">${button('Find', { small: true })}</form>`;
};

function cells({ basePath }: PageRequest, person: PersonLine, clock: Clock): Content[] {
  const { id, name, email, accountRole, lastSeenAt, keys, agents, weeklyMinutes } = person;
  const state = stateOf(person);
  return [
    html`<span class="person">${avatar(person, { beside: true })}<span><a href="${basePath}${PATH}/${id}">${name}</a><br><small class="muted">${email}</small></span></span>`,
    html`${accountRole}${state && html`<br><small class="muted">${state}</small>`}`,
    ago(lastSeenAt, clock),
    keys || '–',
    agents || '–',
    weeklyMinutes === null ? html`<span class="muted">not confirmed</span>` : hours(weeklyMinutes),
  ];
}

function addForm(request: PageRequest, fields: Fields): Content {
  const kinds = userKinds.map((kind) => option(kind, kind === 'person' ? 'Person' : 'Service user (no sign-in)', fields.value('kind')));
  const owner = request.user.accountRole === 'owner';
  return postForm(
    request,
    { action: `${PATH}/add`, once: true },
    html`<div class="sides">
${fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${fields.value('name')}"${mark}>`)}
${fields.field('email', (mark) => html`<input type="email" name="email" required maxlength="320" value="${fields.value('email')}"${mark}>`)}
${fields.field('kind', (mark) => html`<select name="kind"${mark}>${kinds}</select>`)}
${fields.field('accountRole', (mark) => roleSelect(fields, { owner, now: 'member', whom: 'them', mark }))}
${fields.field('timezone', (mark) => zoneSelect(fields.value('timezone', request.user.timezone), false, mark))}
${fields.field('weeklyHours', (mark) => html`<input name="weeklyHours" inputmode="decimal" value="${fields.value('weeklyHours')}" placeholder="not confirmed"${mark}>`)}
</div>
${button('Add')}`,
  );
}

const add = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    request.deps.invitations.addPerson,
    (form) => ({
      ...Object.fromEntries(['name', 'email', 'kind', 'accountRole', 'timezone'].map((field) => [field, form.text(field)])),
      weeklyHours: form.number('weeklyHours'),
    }),
    {
      done: ({ id, invited }) => (invited ? linkPage(request, id, invited) : { redirect: PATH, notice: 'created' }),
      labels,
      again: (refusal) => showPeople(request, { refusal, part: 'add' }),
    },
  );

const invite = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    request.deps.invitations.inviteSeveral,
    (form) => ({ addresses: form.text('addresses'), accountRole: form.text('accountRole'), workspaces: workspacesIn(form) }),
    {
      labels,
      done: (all) => answerPage(request, all),
      again: (refusal) => showPeople(request, { refusal, part: 'invite' }),
    },
  );

export const peopleRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => showPeople(request) },
  { method: 'POST', path: `${PATH}/add`, handle: confirmRoleChange(add, (form) => form.text('name') || 'them') },
  { method: 'POST', path: `${PATH}/invitations`, handle: confirmRoleChange(invite, () => 'all of them') },
  ...linkMailRoutes,
  ...personRoutes,
];
