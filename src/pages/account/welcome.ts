/** /welcome: a one-time link for the first owner of an installation or account (behaviour §12.28). */
import { createFirstOwner, getOwnerLink, hasUsers, wrongToken } from '../../accounts/firstAccount.ts';
import { dismissFirstSteps } from '../../accounts/profile.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { ring } from '../frame/components/marks.ts';
import { Fields } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { type Done, remainingSteps } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { browserOf, call } from '../frame/session.ts';
import { type Refusal, refusalOf, submitted } from '../frame/submitted.ts';
import { problemBox, zoneSelect } from '../frame/widgets.ts';
import { FIRST_RUN } from './firstRun.ts';
import { addressOf, countAttempt } from './forgotten.ts';
import { newPasswordField, redirectSignedIn, rethrowConflict } from './passwords.ts';

const labels: Labels = {
  token: 'One-time token',
  account: 'Account name (your team or company)',
  name: 'Your name',
  email: 'Your email',
  timezone: 'Your time zone',
  password: 'Password',
};

interface Opened {
  token: string;
  accountName: string | null;
}

/** `opened` is null without a valid link. */
function welcomeForm(request: PublicRequest, fields: Fields, opened: Opened | null): Content {
  const text = (name: string, more: Content) =>
    fields.field(name, (mark) => html`<input name="${name}" required${more} value="${fields.value(name)}"${mark}>`);
  const zone = fields.value('timezone');
  return postForm(
    request,
    { action: '/welcome', class: 'narrow', hidden: { token: opened?.token } },
    opened === null &&
      fields.field(
        'token',
        (mark) => html`<input name="token" required autocomplete="off" spellcheck="false" value="${fields.value('token')}"${mark}>`,
        tokenHint,
      ),
    !opened?.accountName && text('account', html` maxlength="200"`),
    text('name', html` maxlength="200" autocomplete="name"`),
    text('email', html` type="email" maxlength="320" autocomplete="username"`),
    fields.field('timezone', (mark) => zoneSelect(zone || 'UTC', !zone, mark)),
    newPasswordField(fields),
    html`<button>${opened?.accountName ? 'Become owner' : 'Create account'}</button>`,
  );
}

const tokenHint = html`The token is in the link that <code>npm start</code> and <code>npm run -s stint -- migrate</code> print. Run one again for a new link.`;

function introduction(opened: Opened | null): Content {
  if (opened?.accountName) return html`<p>The account ${opened.accountName} has no users yet. You become its owner.</p>`;
  return html`<p>This installation has no account yet. Create the account. You become its owner.</p>`;
}

/** With an invalid token, redirects to the sign-in page if there are users. */
async function welcomePage(request: PublicRequest, token: string, refusal?: Refusal): Promise<Answer> {
  const link = token === '' ? null : await call(request, getOwnerLink, { token });
  if (!link && (await call(request, hasUsers, {}))) return { redirect: '/sign-in', ...(token && { notice: 'welcomed' }) };
  const opened = link && { token, accountName: link.account?.name ?? null };
  const fault = refusal ?? (token !== '' && !link ? refusalOf(wrongToken(), labels) : undefined);
  const fields = new Fields(labels, fault && { error: fault.error, form: request.form });
  return {
    title: opened?.accountName ? `Welcome to ${opened.accountName}` : 'Welcome to Stint',
    status: fault?.status ?? 200,
    body: [introduction(opened), problemBox(fault?.problem), welcomeForm(request, fields, opened)],
  };
}

async function show(request: PublicRequest): Promise<Answer> {
  const token = request.query.get('token') ?? '';
  if (token !== '') await count(request);
  return welcomePage(request, token);
}

async function create(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  await count(request);
  const values = Object.fromEntries(['token', 'name', 'email', 'timezone'].map((name) => [name, form.text(name)]));
  const account = form.has('account') ? form.text('account') : undefined;
  const input = () => ({ ...values, account, password: form.raw('password'), browser: browserOf(ctx, deps.config) });
  return submitted(request, createFirstOwner, input, {
    labels,
    done: (begun) => redirectSignedIn(request, begun, { redirect: FIRST_RUN }),
    again: (refusal) => welcomePage(request, form.text('token'), rethrowConflict(refusal)),
  });
}

/** Tokens have the same limits as passwords (behaviour §13.3). */
const count = ({ ctx, deps }: PublicRequest) => countAttempt(deps, 'welcome', addressOf(ctx.ip));

/** First steps of a new account: a workspace, people, an agent (behaviour §22.10). */
const steps: { name: keyof Done; title: string; text: string; href: string; action: string }[] = [
  {
    name: 'workspace',
    title: 'Create a workspace',
    text: 'A workspace holds the items of a team or project.',
    href: '/workspaces',
    action: 'Create workspace',
  },
  {
    name: 'people',
    title: 'Invite people',
    text: 'They get a link to set their password.',
    href: '/settings/people',
    action: 'Invite people',
  },
  {
    name: 'agent',
    title: 'Connect an agent',
    text: 'An agent reads and updates items, within limits that you set.',
    href: '/mcp-access',
    action: 'Connect agent',
  },
];

export function firstSteps(request: PageRequest): Content {
  const open = remainingSteps(request.user.frame);
  if (!open) return null;
  const told = `${open.done} of ${open.of} done`;
  const next = steps.find(({ name }) => !open.steps[name]);
  const rows = steps.map(({ name, title, text, href, action }) => {
    const done = open.steps[name];
    const sign = done ? icon('circle-check') : icon('circle-dashed');
    const link = html`<a class="btn small${next?.name === name && ' primary'}" href="${request.basePath}${href}">${action}</a>`;
    return html`<li${done && html` class="done"`}>${sign}<span><b>${title}</b>${done ? html`<span class="vh">: done</span>` : html`<span class="hint">${text}</span>`}</span>${!done && link}</li>`;
  });
  const away = postForm(request, { action: '/first-steps/dismiss' }, button('Dismiss', { kind: 'quiet', small: true }));
  return card('First steps', html`<ol class="first-steps">${rows}</ol>`, {
    ...{ id: 'first-steps', meta: html`${ring(open.done / open.of, told)} ${told}`, action: away },
  });
}

async function dismiss(request: PageRequest): Promise<Answer> {
  await call(request, dismissFirstSteps, {});
  return { redirect: '/', notice: 'putAway' };
}

export const welcomeRoutes: PageRoute[] = [
  { method: 'GET', path: '/welcome', public: true, handle: show },
  { method: 'POST', path: '/welcome', public: true, handle: create },
  { method: 'POST', path: '/first-steps/dismiss', handle: dismiss },
];
