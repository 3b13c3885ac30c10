/** /workspaces: the user's workspaces, other workspaces they administer, and a form to create one (behaviour §18.8). */
import { bits, holds, type ItemType, itemTypes, resourceOf } from '../../access/rights.ts';
import { type MyWorkspaces, myWorkspaces, type OwnWorkspace } from '../../overviews/myWorkspaces.ts';
import { MOST_COUNTED } from '../../overviews/signedIn.ts';
import { createWorkspace } from '../../workspaces/administer.ts';
import { call } from '../frame/call.ts';
import { badge } from '../frame/components/badge.ts';
import { button } from '../frame/components/button.ts';
import { empty } from '../frame/components/empty.ts';
import { section } from '../frame/components/panel.ts';
import { table } from '../frame/components/table.ts';
import { counted } from '../frame/counted.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { typeNames } from '../frame/sidebar.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';

const PATH = '/workspaces';
const labels = { name: 'Name of a new workspace' } as const;

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { user } = request;
  const found = await call(request, myWorkspaces, {});
  return {
    title: 'Workspaces',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
${found.own.length > 0 ? list(request, found.own) : none(user.accountRole === 'member')}
${user.accountRole !== 'member' && newWorkspace(request, formsOf(request, labels, refusal))}
${others(request, found)}`,
  };
}

const none = (asks: boolean): Content =>
  empty({
    icon: 'layers',
    title: 'No workspaces yet',
    text: asks
      ? 'Ask an administrator to add you to a workspace.'
      : 'A workspace holds a team’s tasks, requirements, goals, releases and milestones. Create the first one.',
  });

const list = ({ basePath }: PageRequest, own: readonly OwnWorkspace[]): Content =>
  table(
    {
      caption: 'Your workspaces',
      columns: [
        { label: 'Workspace' },
        ...itemTypes.map((type) => ({ label: typeNames[type], number: true })),
        { label: 'Members', number: true },
        { label: 'Your role' },
      ],
    },
    own.map((one) => [
      html`<a href="${basePath}${PATH}/${one.id}">${one.name}</a>${one.sample && html` ${badge('plain', 'flask-conical', 'Sample')}`}`,
      ...itemTypes.map((type) => count(one, type)),
      one.members,
      one.role,
    ]),
  );

function count({ rights, open }: OwnWorkspace, type: ItemType): Content {
  if (!holds(rights, bits(resourceOf(type), 'read'))) return html`<span title="Not for your role">–</span>`;
  return counted(open[type] ?? 0, MOST_COUNTED);
}

function newWorkspace(request: PageRequest, forms: Forms): Content {
  const fields = forms(PATH);
  const name = html`<input name="name" required maxlength="200" value="${fields.value('name')}" aria-label="${labels.name}" placeholder="Name"${fields.mark('name')}>`;
  const form = postForm(
    request,
    { action: PATH, once: true, class: 'narrow' },
    html`<fieldset role="group">${name}${button('Create', { kind: 'primary' })}</fieldset>${fields.note('name')}`,
  );
  return section({ title: 'New workspace', id: 'new' }, form);
}

/** Archived workspaces and, for administrators, those they are not a member of. Their settings can be opened. */
function others({ basePath }: PageRequest, { run }: MyWorkspaces): Content {
  if (run.length === 0) return null;
  const rows = run.map(({ id, name, archived }) => [
    html`<a href="${basePath}${PATH}/${id}/settings">${name}</a>`,
    archived ? badge('plain', 'archive', 'Archived') : 'Not a member',
  ]);
  return section(
    { title: 'Other workspaces that you manage' },
    table({ caption: 'Other workspaces that you manage', columns: [{ label: 'Workspace' }, { label: 'Status' }] }, rows),
  );
}

const create = (request: PageRequest): Promise<Answer> =>
  submitted(request, createWorkspace, (form) => ({ name: form.text('name') }), {
    labels,
    done: ({ id }) => ({ redirect: `${PATH}/${id}/settings/members`, notice: 'created' }),
    again: (refusal) => show(request, refusal),
  });

export const workspaceListRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: PATH, handle: create },
];
