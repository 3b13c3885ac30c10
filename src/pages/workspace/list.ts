/** /workspaces: the user's workspaces, other workspaces they administer, and a form to create one (behaviour §18.8). */
import { bits, holds, type ItemType, itemTypes, resourceOf } from '../../access/rights.ts';
import { type MyWorkspaces, myWorkspaces, type OwnWorkspace } from '../../overviews/myWorkspaces.ts';
import { MOST_COUNTED } from '../../overviews/signedIn.ts';
import type { WorkList } from '../../overviews/workList/listWork.ts';
import { createWorkspace } from '../../workspaces/administer.ts';
import type { Clock } from '../frame/clock.ts';
import { empty, section } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { badge, kbd } from '../frame/components/marks.ts';
import { bulkAction, bulkBar, table } from '../frame/components/row.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { typeNames } from '../frame/sidebar.ts';
import { starButton } from '../frame/star.ts';
import { hereOf, type Refusal, submitted } from '../frame/submitted.ts';
import { counted, problemBox } from '../frame/widgets.ts';
import { fitsType, type InPlaceField } from '../items/change/fields.ts';
import type { InPlace } from '../items/inPlace.ts';
import { type ListAddress, listAddress, queryOf } from './listAddress.ts';
import { asOpened, hasOtherWorkspace, mayWork, type OpenWorkspace } from './openWorkspace.ts';

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

const list = (request: PageRequest, own: readonly OwnWorkspace[]): Content =>
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
      html`${starButton(request, { workspaceId: one.id, kind: 'workspace', id: one.id }, one.name)}<a href="${request.basePath}${PATH}/${one.id}">${one.name}</a>${one.sample && html` ${badge('plain', 'flask-conical', 'Sample')}`}`,
      ...itemTypes.map((type) => count(one, type)),
      one.members,
      one.role,
    ]),
  );

function count({ rights, open }: OwnWorkspace, type: ItemType): Content {
  if (!holds(rights, bits(resourceOf(type), 'read'))) return html`<span title="No access">–</span>`;
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

export interface ListPage {
  request: PageRequest;
  workspace: OpenWorkspace;
  /** From the URL, with the type that is actually shown. */
  address: ListAddress;
  found: WorkList;
  types?: readonly ItemType[];
  clock: Clock;
  /** `back`: this page, below the context path (frame/submitted.ts, hereOf). */
  change: InPlace & { back: string; clock: Clock };
}

/** A link to this list with a change, with the context path. */
export const hrefOf = ({ workspace, address }: Pick<ListPage, 'workspace' | 'address'>, change: Partial<ListAddress> = {}): string =>
  workspace.at + queryOf(address, change);

/** True if rows can be selected and added: the user may change this type and the list is not archived. */
export const mayChange = ({ change, address }: ListPage): boolean => change.may && !address.archived;

/** Bulk changes; the rows' checkboxes name this form (behaviour §23.5). Without script it is at the end of the list and opens a menu
 *  page. */
const actions: readonly [InPlaceField, IconName, string][] = [
  ['status', 'circle-dashed', 'Status'],
  ['assignee', 'user', 'Assignee'],
  ['priority', 'chevrons-up', 'Priority'],
  ['due', 'calendar', 'Due date'],
  ['target', 'calendar', 'Target date'],
  ['release', 'ship', 'Release'],
];

export function bulkForm(page: ListPage): Content {
  const { workspace, found, change } = page;
  if (!mayChange(page) || found.rows.length === 0) return null;
  const fitting = actions.filter(([field]) => fitsType(field, found.type) && !(field === 'target' && fitsType('due', found.type)));
  const buttons = html`${fitting.map(([field, sign, label]) => bulkAction(sign, label, { value: field }))}${bulkAction('tag', 'Labels', { value: 'labels' })}${
    mayWork(workspace, found.type, 'delete') &&
    html`${hasOtherWorkspace(page.request.user) && bulkAction('arrow-right', 'Move', { value: 'move' })}${bulkAction('archive', 'Archive', { value: 'archive' })}`
  }`;
  const all = html`<button type="button" data-select-all hidden>All ${found.rows.length}</button>`;
  const clear = html`${all}<button type="reset">Clear${kbd('Esc')}</button>`;
  return html`<form id="bulk" method="get" action="${workspace.at}/bulk" data-bulk><input type="hidden" name="back" value="${change.back}">${bulkBar({ clear }, buttons)}</form>`;
}

/** On phones, checkboxes are hidden until this is pressed, or a row is held. */
export const selectSeveral = (page: ListPage): Content =>
  mayChange(page) &&
  page.found.rows.length > 0 &&
  html`<button class="opt at-narrow" type="button" data-select-mode aria-pressed="false">${icon('list-checks', 's')}<span class="cut">Select several</span></button>`;

export function listPage(request: PageRequest, found: WorkList, clock: Clock): ListPage {
  const workspace = asOpened(request, found.membership);
  const address = { ...listAddress(request.query), type: found.type };
  const may = mayWork(workspace, found.type, 'write');
  return { request, workspace, address, found, clock, change: { at: workspace.at, back: hereOf(request), may, clock } };
}
