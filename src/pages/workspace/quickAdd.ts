/** /workspaces/:id/quick: interprets a typed line, before and when it is saved (behaviour §19.9). */

import { itemTypes } from '../../access/rights.ts';
import { wordsOf } from '../../items/quickAdd.ts';
import { saveItem } from '../../items/saveItem.ts';
import { type UnderstoodWork, understandWork } from '../../items/understandWork.ts';
import { backTo } from '../frame/back.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { notice } from '../frame/components/notice.ts';
import { quickLine, understood } from '../frame/components/quick.ts';
import { dayWords, estimate, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { orAgain, type Refusal } from '../frame/submitted.ts';
import { formLabels } from '../items/form.ts';

const names = ['statusKey', 'personId', 'priorityKey', 'day', 'below'] as const;

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
  const number = (name: 'personId' | 'below') => given[name] && { [name]: Number(given[name]) };
  const input = {
    workspaceId: Number(request.params.id),
    type,
    line,
    today: clock.today,
    ...given,
    ...number('personId'),
    ...number('below'),
  };
  return call(request, understandWork, input);
};

/** The interpretation as highlighted parts, or the errors with each unknown word underlined. */
function previewOf(
  line: string,
  { title, faults, unmatched, below, day, estimatedHours, person, priority }: UnderstoodWork,
  clock: Clock,
): Content {
  if (faults.length)
    return html`${unmatched.length > 0 && html`<span>${underlined(line, unmatched)}</span> `}<span class="fault" data-fault>${faults.join(' ')}</span>`;
  if (title === '') return null;
  const marks: (string | { mark: Content })[] = ['Adds', { mark: title }];
  if (below) marks.push('to', { mark: html`${below.id} ${below.title}` });
  if (day) marks.push('due', { mark: within(dayWords(day, clock)) });
  if (estimatedHours !== null) marks.push({ mark: estimate(estimatedHours) });
  if (person) marks.push('for', { mark: person.name });
  if (priority) marks.push({ mark: `${priority.label} priority` });
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
    placeholder: 'title, #parent, 4h, friday, @name, !priority',
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
    const { faults, title, record } = await understand(request, wanted, clockOf(request));
    if (faults.length || title === '') return show(request);
    const { id } = await call(request, saveItem, { workspaceId: Number(request.params.id), record });
    return { redirect: `${wanted.back}${wanted.back.includes('?') ? '&' : '?'}added=${id}`, notice: 'added' };
  };
  return orAgain(work, { labels: formLabels, again: (refusal) => show(request, refusal) });
}

export const quickAddRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/quick', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/quick', handle: add },
];
