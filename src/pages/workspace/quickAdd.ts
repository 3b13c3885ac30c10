/** /workspaces/:id/quick: interprets a typed line, before and when it is saved (behaviour §19.9). */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { linkTo, wordsOf } from '../../items/quickAdd.ts';
import { saveLabelledItem } from '../../items/saveItem.ts';
import { savedOf, type UnderstoodWork, understandWork } from '../../items/understandWork.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { notice } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { quickLine, understood } from '../frame/components/row.ts';
import { dayWords, estimate, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { backTo, orAgain, type Refusal } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import type { FormName } from '../items/fields.ts';
import { formLabels } from '../items/form.ts';

const names = ['statusKey', 'personId', 'priorityKey', 'day', 'below', 'labelId'] as const;

interface Asked {
  type: (typeof itemTypes)[number];
  line: string;
  given: Partial<Record<(typeof names)[number], string>>;
  back: string;
}

function readRequest({ ctx, form, query, params, basePath }: PageRequest): Asked {
  const text = (name: string) => (ctx.method === 'POST' ? form.text(name) : (query.get(name)?.trim() ?? ''));
  const given = Object.fromEntries(names.map((name) => [name, text(name)]).filter(([, value]) => value !== ''));
  return {
    type: itemTypes.find((one) => one === text('type')) ?? 'task',
    line: text('line'),
    given,
    back: backTo(text('back'), { basePath }, `/workspaces/${params.id}`),
  };
}

const understand = (request: PageRequest, { type, line, given }: Asked, clock: Clock): Promise<UnderstoodWork> => {
  const number = (name: 'personId' | 'below' | 'labelId') => given[name] && { [name]: Number(given[name]) };
  const input = {
    workspaceId: Number(request.params.id),
    type,
    line,
    today: clock.today,
    ...given,
    ...number('personId'),
    ...number('below'),
    ...number('labelId'),
  };
  return call(request, understandWork, input);
};

/** The interpretation as highlighted parts, or the errors with each unknown word underlined. */
export function previewOf(
  line: string,
  { title, faults, unmatched, below, day, estimatedHours, person, priority, labels, words, record }: UnderstoodWork,
  clock: Clock,
): Content {
  if (faults.length)
    return html`${unmatched.length > 0 && html`<span>${underlined(line, unmatched)}</span> `}<span class="fault" data-fault>${faults.join(' ')}</span>`;
  if (title === '') return null;
  const { type, fields } = record;
  // Values set by words, for the chips of the dialog (compose.ts).
  const sets = (name: FormName | 'labels' | null, value: string | number, word: string | undefined): Content =>
    name && word && html` data-set="${name}" data-value="${value}" data-word="${word}"`;
  const marks: Parameters<typeof understood> = ['Adds', { mark: title }];
  const add = (mark: Content, attributes: Content) => marks.push({ mark, attributes });
  if (below) marks.push('to');
  if (below) add(html`${below.id} ${below.title}`, sets(linkTo(type, below.type), below.id, words.below));
  if (day) marks.push('due');
  if (day) add(within(dayWords(day, clock)), sets(type === 'task' ? 'dueDate' : 'targetDate', day, words.day));
  if (estimatedHours !== null)
    add(estimate(estimatedHours), fields.estimatedHours != null && sets('estimatedHours', estimatedHours, words.estimatedHours));
  if (person) marks.push('for');
  if (person) add(person.name, sets(type === 'task' ? 'assigneeId' : 'ownerId', person.id, words.personId));
  if (priority) add(`${priority.label} priority`, sets('priorityKey', priority.key, words.priorityKey));
  if (labels.length) marks.push('labeled');
  for (const { id, name, word } of labels) add(name, sets('labels', id, word));
  return understood(...marks);
}

const underlined = (line: string, unmatched: readonly string[]): Content =>
  wordsOf(line).map(({ text, quoted }) => {
    if (quoted) return `"${text}" `;
    return unmatched.includes(text) ? html`<u>${text}</u> ` : `${text} `;
  });

/** A separate page, from which a script takes the interpretation. */
async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const clock = clockOf(request);
  const { type, line, given, back } = readRequest(request);
  const what = await understand(request, { type, line, given, back }, clock);
  const field = quickLine({
    ...{ id: 'line', name: 'line', label: `New ${type}`, value: line, icon: 'plus', said: previewOf(line, what, clock) },
    placeholder: 'title, #parent, 4h, friday, @name, !priority, ~label',
    action: button('Add', { kind: 'primary' }),
    attributes: html` maxlength="1000" required`,
  });
  return {
    title: `New ${type}`,
    status: refusal?.status ?? (what.faults.length && request.ctx.method === 'POST' ? 400 : 200),
    body: html`${refusal && notice('error', refusal.problem)}
${postForm(request, { action: `/workspaces/${request.params.id}/quick`, once: true, hidden: { type, back, ...given } }, field)}
<p class="actions">${linkButton(request.basePath + back, 'Cancel')} ${linkButton(`${request.basePath}/workspaces/${request.params.id}/new?type=${type}`, 'All fields', { icon: 'file-text' })}</p>`,
  };
}

async function add(request: PageRequest): Promise<Answer> {
  const wanted = readRequest(request);
  const work = async (): Promise<Answer> => {
    const meant = await understand(request, wanted, clockOf(request));
    if (meant.faults.length || meant.title === '') return show(request);
    const workspaceId = Number(request.params.id);
    const { id, version } = await call(request, saveLabelledItem, { workspaceId, ...savedOf(meant) });
    return { redirect: wanted.back, undo: undoOf.items({ workspaceId, itemId: id, version }), notice: 'created' };
  };
  return orAgain(work, { labels: formLabels, again: (refusal) => show(request, refusal) });
}

export const quickAddRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/quick', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/quick', handle: add },
];

/** The line that adds work to a group, column or item (behaviour §19.9). */
export interface GroupValues {
  statusKey?: string;
  personId?: string | number;
  priorityKey?: string;
  day?: string;
  below?: string | number;
  labelId?: string;
}

interface QuickAddRow {
  context: FormContext;
  /** The workspace's path, below the context path. */
  path: string;
  type: ItemType;
  id: string;
  where: string;
  given: GroupValues;
  /** Below the context path. */
  back: string;
  /** Selector of the part to update; default: #work. */
  live?: string;
}

export function quickAddForm({ context, path, type, id, where, given, back, live = '#work' }: QuickAddRow): Content {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
  const said = `said-${id}`;
  const example = type === 'task' ? 'title, #parent, 4h, friday, @name' : 'title, #parent, friday, @name';
  return postForm(
    context,
    {
      action: `${path}/quick`,
      once: true,
      live,
      hidden: { type, back, ...known },
      data: { quick: `${context.basePath}${path}/quick`, queue: true },
    },
    icon('plus'),
    html`<input class="input" id="quick-${id}" name="line" required maxlength="1000" autocomplete="off" aria-label="New ${type} in ${where}" aria-describedby="${said}" placeholder="New ${type}: ${example}">`,
    html`<span class="tail">${button('Add', { kind: 'quiet', small: true, key: 'Enter' })}</span>`,
    html`<p class="said" id="${said}" aria-live="polite"></p>`,
  );
}

export const quickAddRow = (props: QuickAddRow): Content => html`<li class="row new" id="new-${props.id}">${quickAddForm(props)}</li>`;
