import { type ItemType, itemTypes } from '../../access/rights.ts';
import { saveItem } from '../../items/saveItem.ts';
import { startItem } from '../../overviews/openItem.ts';
import { Forbidden } from '../../values/errors.ts';
import { Fields } from '../frame/fields.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { asOpened, may, mayWork, type OpenWorkspace } from '../workspace/openWorkspace.ts';
import { type FormName, namesOf } from './fields.ts';
import { type Choices, formLabels, itemForm } from './form.ts';
import { crumbsTo } from './head.ts';
import { withLinkIds } from './linkNames.ts';
import { recordOf, type Values, valuesIn } from './values.ts';

interface Started {
  workspace: OpenWorkspace;
  choices: Choices;
  without: FormName[];
}

async function start(request: PageRequest, asked: string | null): Promise<Started> {
  const type = itemTypes.find((one) => one === asked) ?? 'task';
  const { membership, options, choices: targets } = await call(request, startItem, { workspaceId: Number(request.params.id), type });
  const workspace = asOpened(request, membership);
  if (!mayWork(workspace, type, 'write')) throw new Forbidden();
  const choices = { type, options, targets, stored: null, links: [], ownerName: null, find: `${request.basePath}/search` };
  return { workspace, choices, without: hiddenFields(workspace) };
}

/** Not all roles see goals, so their link field may be hidden. */
export function hiddenFields(workspace: OpenWorkspace): FormName[] {
  return may(workspace, 'goals', 'read') ? [] : ['goalId'];
}

function page(request: PageRequest, { workspace, choices, without }: Started, values: Values, refusal?: Refusal): Answer {
  const { type } = choices;
  const form = itemForm(request, {
    action: `${workspace.path}/items`,
    choices,
    values,
    without,
    button: `Create ${type}`,
    away: `${workspace.at}?type=${type}`,
    fields: new Fields(formLabels, refusal && { error: refusal.error, form: request.form }),
  });
  return {
    title: `New ${type}`,
    status: refusal?.status ?? 200,
    itemType: type,
    crumbs: crumbsTo(workspace, type),
    body: html`${problemBox(refusal?.problem)}${form}`,
  };
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

async function create(request: PageRequest): Promise<Answer> {
  const started = await start(request, request.form.text('type'));
  const { workspace, choices, without } = started;
  const values = withLinkIds(valuesIn(request.form, namesOf(choices.type, without)), choices);
  const record = recordOf(values, { type: choices.type, statuses: choices.options.statuses, stored: null });
  return submitted(request, saveItem, () => ({ workspaceId: workspace.id, record }), {
    labels: formLabels,
    done: ({ id }) => ({ redirect: `${workspace.path}/items/${id}`, notice: 'created' }),
    again: (refusal) => page(request, started, values, refusal),
  });
}

export const itemNewRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/new', handle: show },
  { method: 'POST', path: '/workspaces/:id/items', handle: create },
];
