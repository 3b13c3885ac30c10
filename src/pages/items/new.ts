import { bits, holds, type ItemType, itemTypes, resourceOf } from '../../access/rights.ts';
import { saveLabelledItem } from '../../items/saveItem.ts';
import { savedOf, understandWork } from '../../items/understandWork.ts';
import { type NewItem, startItem } from '../../overviews/openItem.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { typeIcons } from '../frame/sidebar.ts';
import { backTo, type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { option, problemBox } from '../frame/widgets.ts';
import { asOpened, may, mayWork, type OpenWorkspace } from '../workspace/openWorkspace.ts';
import { type FormName, namesOf, typeLabel } from './fields.ts';
import { type Choices, formLabels, itemForm } from './form.ts';
import { crumbsTo } from './head.ts';
import { withLinkIds } from './linkNames.ts';
import { recordOf, type Values, valuesIn } from './values.ts';

interface Started {
  workspace: OpenWorkspace;
  choices: Choices;
  offered: NewItem['offered'];
  without: FormName[];
}

async function start(request: PageRequest, asked: string | null): Promise<Started> {
  const type = itemTypes.find((one) => one === asked) ?? 'task';
  const {
    membership,
    options,
    choices: targets,
    offered,
  } = await call(request, startItem, { workspaceId: Number(request.params.id), type });
  const workspace = asOpened(request, membership);
  if (!mayWork(workspace, type, 'write')) throw new Forbidden();
  const choices = {
    type,
    options,
    targets,
    stored: null,
    links: [],
    ownerName: null,
    at: workspace.at,
    search: `${request.basePath}/search`,
  };
  return { workspace, choices, offered, without: hiddenFields(workspace) };
}

/** Not all roles see goals, so their link field may be hidden. */
export function hiddenFields(workspace: OpenWorkspace): FormName[] {
  return may(workspace, 'goals', 'read') ? [] : ['goalId'];
}

function page(request: PageRequest, { workspace, choices, offered, without }: Started, values: Values, refusal?: Refusal): Answer {
  const { type } = choices;
  const form = itemForm(request, {
    action: `${workspace.path}/items`,
    choices,
    values,
    without,
    button: `Create ${type}`,
    away: `${workspace.at}?type=${type}`,
    more: labelsField(offered, refusal ? request.form.all('labels') : []),
    fields: new Fields(formLabels, refusal && { error: refusal.error, form: request.form }),
  });
  return {
    title: `New ${type}`,
    status: refusal?.status ?? 200,
    itemType: type,
    ...{ scripts: ['compose'], sheets: ['compose'] },
    crumbs: crumbsTo(workspace, type),
    body: html`${problemBox(refusal?.problem)}${whereForm(request, workspace, type)}${form}`,
  };
}

function labelsField(offered: NewItem['offered'], held: readonly string[]): Content {
  if (offered.length === 0) return null;
  const options = offered.map(
    ({ id, name }) => html`<option value="${id}"${held.includes(String(id)) && html` selected`}>${name}</option>`,
  );
  return html`<label>Labels<select name="labels" multiple size="4" autocomplete="off">${options}</select></label>`;
}

/** Type and workspace of the new item. A script loads their form when they change; without it, the button does. */
function whereForm({ basePath, user }: PageRequest, workspace: OpenWorkspace, type: ItemType): Content {
  if (!user.frame) return null;
  const select = (name: string, label: string, options: Content, sign?: Content) =>
    html`<label class="prop">${sign}<span class="vh">${label}</span><select name="${name}" autocomplete="off">${options}</select></label>`;
  const types = itemTypes.filter((one) => mayWork(workspace, one, 'write'));
  const offered = types.map((one) => option(one, typeLabel(one), type));
  const places = writable(user.frame.workspaces, type).map(({ id, name }) => option(String(id), name, String(workspace.id)));
  return html`<form class="where" method="get" action="${basePath}/new">${select('type', 'Type', offered, icon(typeIcons[type], 's'))}<span class="meta">in</span>${select('in', 'Workspace', places)}<noscript>${button('Change', { small: true })}</noscript>${mayWork(workspace, 'task', 'write') && html`<a class="quiet-link" href="${workspace.at}/new/template">From template…</a>`}</form>`;
}

const writable = <One extends { rights: number }>(workspaces: readonly One[], type: ItemType): One[] =>
  workspaces.filter(({ rights }) => holds(rights, bits(resourceOf(type), 'write')));

/** /new: the form for a type in a workspace, or in the first one where the user may create it. */
async function choose({ query, user }: PageRequest): Promise<Answer> {
  const type = itemTypes.find((one) => one === query.get('type')) ?? 'task';
  const asked = Number(query.get('in'));
  const id = Number.isSafeInteger(asked) && asked > 0 ? asked : writable(user.frame?.workspaces ?? [], type)[0]?.id;
  return { redirect: id ? `/workspaces/${id}/new?type=${type}` : '/workspaces' };
}

function firstValues(type: ItemType, { choices, without }: Started, query: URLSearchParams): Values {
  const { statuses, priorities } = choices.options;
  const blank = Object.fromEntries(namesOf(type, without).map((name) => [name, query.get(name) ?? '']));
  return {
    ...blank,
    statusKey: statuses.find(({ status, types }) => status === 'planned' && types.includes(type))?.key ?? '',
    priorityKey: type === 'task' ? (priorities.find((one) => one.default)?.key ?? '') : '',
  };
}

async function show(request: PageRequest): Promise<Answer> {
  const started = await start(request, request.query.get('type'));
  return page(request, started, firstValues(started.choices.type, started, request.query));
}

/** Values and labels of the title's words, except of fields that the user has set (field `chosen`). Throws InvalidRequest for faults. */
async function withWords(request: PageRequest, { workspace, choices: { type } }: Started, values: Values) {
  const { form } = request;
  const line = values.title ?? '';
  const work = await call(request, understandWork, {
    ...{ workspaceId: workspace.id, type, line, today: clockOf(request).today },
  });
  const { title, faults, record } = work;
  if (faults.length) throw new InvalidRequest(['title'], faults.join(' '));
  const chosen = form.all('chosen');
  const said = Object.entries({ ...record.fields, ownerId: record.ownerId, title }).filter(
    ([name, value]) => value != null && !chosen.includes(name),
  );
  return { values: { ...values, ...Object.fromEntries(said.map(([name, value]) => [name, String(value)])) }, ...savedOf(work) };
}

async function create(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const started = await start(request, form.text('type'));
  const { workspace, choices, without } = started;
  const { type, options } = choices;
  const values = withLinkIds(valuesIn(form, namesOf(type, without)), choices);
  const input = async () => {
    const meant = form.has('words') ? await withWords(request, started, values) : { values, labels: [] };
    const record = recordOf(meant.values, { type, statuses: options.statuses, stored: null });
    return { workspaceId: workspace.id, record, labels: [...new Set([...form.all('labels').map(Number), ...meant.labels])] };
  };
  return submitted(request, saveLabelledItem, input, {
    labels: formLabels,
    done: ({ id, version }) => ({
      redirect: afterwards(request, `${workspace.path}/items/${id}`, `${workspace.path}/new?type=${type}`),
      undo: undoOf.items({ workspaceId: workspace.id, itemId: id, version }),
      notice: 'created',
    }),
    again: (refusal) => page(request, started, values, refusal),
  });
}

/** The page that opened the dialog, a form for another item, or the new item. */
function afterwards({ form, basePath }: PageRequest, item: string, another: string): string {
  if (form.has('open')) return item;
  if (form.has('back')) return backTo(form.text('back'), { basePath }, item);
  return form.has('another') ? another : item;
}

export const itemNewRoutes: PageRoute[] = [
  { method: 'GET', path: '/new', handle: choose },
  { method: 'GET', path: '/workspaces/:id/new', handle: show },
  { method: 'POST', path: '/workspaces/:id/items', handle: create },
];
