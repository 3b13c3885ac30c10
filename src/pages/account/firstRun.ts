/** /first-run: three steps for the owner of a new account: a workspace, people, a first task (behaviour §40.6). Each can be skipped. */
import { memberRoles } from '../../accounts/schema.ts';
import { saveLabelledItem } from '../../items/saveItem.ts';
import { savedOf, understandWork } from '../../items/understandWork.ts';
import { getSignedIn } from '../../overviews/signedIn.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { createWorkspace } from '../../workspaces/administer.ts';
import { clockOf } from '../frame/clock.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { ring } from '../frame/components/marks.ts';
import { Fields } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { option, problemBox } from '../frame/widgets.ts';
import { answerPage } from './invite.ts';

export const FIRST_RUN = '/first-run';
const labels: Labels = { name: 'Name of the workspace', addresses: 'Email addresses', role: 'Role', line: 'Title', title: '' };
const steps = ['workspace', 'people', 'task'] as const;
type Step = (typeof steps)[number];
const stepNames: Record<Step, string> = { workspace: 'Workspace', people: 'People', task: 'First task' };

interface Place {
  id: number;
  name: string;
}

/** Without a workspace only the first step is possible. The user of a POST has no frame. */
async function placeOf(request: PageRequest): Promise<Place | null> {
  const { query, form } = request;
  const frame = request.user.frame ?? (await call(request, getSignedIn, { showing: 0 }))?.frame;
  const all = frame?.workspaces ?? [];
  const asked = Number(form.text('in') || query.get('in'));
  return all.find(({ id }) => id === asked) ?? (asked === 0 || Number.isNaN(asked) ? (all[0] ?? null) : null);
}

const pathOf = (step: Step, workspaceId: number): string => `${FIRST_RUN}?step=${step}&in=${workspaceId}`;

function stepper(current: Step): Content {
  const at = steps.indexOf(current);
  return html`<ol class="stepper">${steps.map((step, n) => html`<li${n === at && html` aria-current="step"`}>${n < at ? icon('circle-check', 's') : n === at ? html`<span aria-hidden="true">${ring(0.5, '')}</span>` : icon('circle-dashed', 's')}${stepNames[step]}${n < at && html`<span class="vh">: done</span>`}</li>`)}</ol>`;
}

async function show(request: PageRequest, refusal?: Refusal, sent?: Step): Promise<Answer> {
  const place = await placeOf(request);
  const asked = sent ?? steps.find((one) => one === request.query.get('step')) ?? 'people';
  const step = place ? asked : 'workspace';
  const fields = new Fields(labels, refusal && { error: refusal.error, form: request.form }, step === 'task' ? 'line' : '');
  const next = steps[steps.indexOf(step) + 1];
  const before = steps[steps.indexOf(step) - 1];
  const { title, text, field, done } = partOf[step](place, fields);
  const to = (path: string) => `${request.basePath}${path}`;
  const form = postForm(
    request,
    { action: `${FIRST_RUN}/${step}`, once: true, hidden: { in: place?.id ?? '' } },
    field,
    html`<div class="form-foot">${place && before && linkButton(to(pathOf(before, place.id)), 'Back', { kind: 'quiet' })}<span class="push"></span>${linkButton(to(place && next ? pathOf(next, place.id) : '/'), 'Skip', { kind: 'quiet' })}${button(done, { kind: 'primary' })}</div>`,
  );
  return {
    title,
    plain: true,
    status: refusal?.status ?? 200,
    body: html`${stepper(step)}<p>${text}</p>${problemBox(refusal?.problem)}${form}`,
  };
}

interface Part {
  title: string;
  text: string;
  field: Content;
  done: string;
}

const partOf: Record<Step, (place: Place | null, fields: Fields) => Part> = {
  workspace: (_place, fields) => ({
    title: 'Create a workspace',
    text: 'A workspace holds the items of a team or project.',
    field: fields.field(
      'name',
      (mark) => html`<input name="name" required maxlength="200" autofocus value="${fields.value('name')}"${mark}>`,
    ),
    done: 'Continue',
  }),
  people: (place, fields) => ({
    title: `Who works in ${place?.name ?? 'it'}?`,
    text: 'They get a link to set their password. Paste up to 30 addresses.',
    field: html`${fields.field('addresses', (mark) => html`<textarea name="addresses" rows="3" required maxlength="20000" autofocus${mark}>${fields.value('addresses')}</textarea>`, 'Separate addresses by lines, commas or spaces.')}
${fields.field('role', (mark) => html`<select name="role"${mark}>${memberRoles.toReversed().map((role) => option(role, role, fields.value('role', 'member')))}</select>`)}`,
    done: 'Continue',
  }),
  task: (place, fields) => ({
    title: 'Add your first task',
    text: `Type one line to create a task in ${place?.name ?? 'it'}. Words such as friday, @name and 4h set its properties.`,
    field: fields.field(
      'line',
      (mark) =>
        html`<input name="line" required maxlength="300" autofocus autocomplete="off" placeholder="Order paper friday 4h" value="${fields.value('line')}"${mark}>`,
    ),
    done: 'Create task',
  }),
};

const makeWorkspace = (request: PageRequest): Promise<Answer> =>
  submitted(request, createWorkspace, (form) => ({ name: form.text('name') }), {
    labels,
    done: ({ id }) => ({ redirect: pathOf('people', id) }),
    again: (refusal) => show(request, refusal, 'workspace'),
  });

const invite = (request: PageRequest): Promise<Answer> => {
  const workspaceId = request.form.id('in');
  return submitted(
    request,
    request.deps.invitations.inviteSeveral,
    (form) => ({ addresses: form.raw('addresses'), accountRole: 'member', workspaces: [{ workspaceId, role: form.text('role') }] }),
    {
      labels,
      done: (result) => answerPage(request, result, { href: request.basePath + pathOf('task', workspaceId), label: 'Continue' }),
      again: (refusal) => show(request, refusal, 'people'),
    },
  );
};

function makeTask(request: PageRequest): Promise<Answer> {
  const workspaceId = request.form.id('in');
  const input = async (form: Form) => {
    const work = await call(request, understandWork, {
      ...{ workspaceId, type: 'task', line: form.text('line'), today: clockOf(request).today },
    });
    if (work.faults.length > 0) throw new InvalidRequest(['line'], work.faults.join(' '));
    return { workspaceId, ...savedOf(work) };
  };
  return submitted(request, saveLabelledItem, input, {
    labels,
    done: ({ id, version }) => ({
      redirect: `/workspaces/${workspaceId}/items/${id}`,
      undo: undoOf.items({ workspaceId, itemId: id, version }),
      notice: 'created',
    }),
    again: (refusal) => show(request, refusal, 'task'),
  });
}

export const firstRunRoutes: PageRoute[] = [
  { method: 'GET', path: FIRST_RUN, handle: (request) => show(request) },
  { method: 'POST', path: `${FIRST_RUN}/workspace`, handle: makeWorkspace },
  { method: 'POST', path: `${FIRST_RUN}/people`, handle: invite },
  { method: 'POST', path: `${FIRST_RUN}/task`, handle: makeTask },
];
