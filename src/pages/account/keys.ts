/** /settings/keys: REST keys, for the owner (behaviour §3.19). */

import { grants, grantsOf } from '../../access/rights.ts';
import { createKey, type KeyRow, listKeys, type Person, revokeKey } from '../../accounts/keys.ts';
import { clockOf } from '../frame/clock.ts';
import { codeBox } from '../frame/components/avatar.ts';
import { personChoice, pickSelect } from '../frame/components/picker.ts';
import { ago, moment, momentWithin } from '../frame/components/when.ts';
import { type Fields, formsOf } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { expiries, expiryOf, option, problemBox } from '../frame/widgets.ts';
import { withPasswordConfirmation } from './confirmed.ts';

const PATH = '/settings/keys';
const labels: Labels = { name: 'Name', userId: 'Acts for', grants: 'Grants', expires: 'Expires', keyId: '' };

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { keys, people } = await call(request, listKeys, {});
  return {
    title: 'API keys',
    status: refusal?.status ?? 200,
    body: html`
${problemBox(refusal?.problem)}
<p>A key acts for one user. It can never do more than its grants and that user’s current permissions allow. <a href="${request.basePath}/api/v1/docs">API reference</a></p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Key</th><th scope="col">Acts for</th><th scope="col">Grants</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">State</th></tr></thead>
<tbody>${keys.length ? keys.map((key) => row(request, key)) : html`<tr><td colspan="6" class="muted">No API keys yet. Create the first one below.</td></tr>`}</tbody>
</table></div>
<h2>New API key</h2>
${createForm(request, people, formsOf(request, labels, refusal)(`${PATH}/create`))}`,
  };
}

function createForm(request: PageRequest, people: readonly Person[], fields: Fields): Content {
  const chosen = fields.value('userId', String(request.user.id));
  const actors = people.map(({ id, name, email }) => ({ ...personChoice(id, name), label: `${name} (${email})` }));
  const ends = Object.entries(expiries).map(([value, label]) => option(value, label, fields.value('expires', '90')));
  return postForm(
    request,
    { action: `${PATH}/create`, once: true },
    html`<div class="sides">
${fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${fields.value('name')}" placeholder="Where you use it, such as a script"${mark}>`)}
${fields.field('userId', (attributes) => pickSelect({ name: 'userId', options: actors, chosen, attributes }))}
${fields.field('expires', (mark) => html`<select name="expires"${mark}>${ends}</select>`)}
</div>
<fieldset><legend>Grants</legend>${fields.note('grants')}${grantTable(fields)}</fieldset>
<button>Create key</button>`,
  );
}

/** Resources that a key can be granted. */
const resources = [...new Set(grants.map((grant) => grant.replace(/:.*/, '')))];

function grantTable(fields: Fields): Content {
  const box = (resource: string, right: 'read' | 'write') => {
    const grant = `${resource}:${right}`;
    const label = right === 'read' ? 'Read' : 'Write';
    return (
      grants.some((one) => one === grant) &&
      html`<label><input type="checkbox" name="grants" value="${grant}" aria-label="${label} ${resource}"${fields.ticked('grants', grant) && html` checked`}${fields.mark('grants')}> ${label}</label>`
    );
  };
  return html`<div class="scroll"><table><thead><tr><th scope="col">Resource</th><th scope="col">Read</th><th scope="col">Write (includes read)</th></tr></thead>
<tbody>${resources.map((resource) => html`<tr><th scope="row">${resource}</th><td>${box(resource, 'read')}</td><td>${box(resource, 'write')}</td></tr>`)}</tbody></table></div>`;
}

function row(request: PageRequest, key: KeyRow): Content {
  const clock = clockOf(request);
  const given = new Set<string>(grantsOf(key.rights));
  const shown = [...given].filter((grant) => !(grant.endsWith(':read') && given.has(grant.replace(':read', ':write'))));
  return html`<tr><th scope="row">${key.name}<br><small class="muted">created ${momentWithin(key.createdAt, clock)}</small></th><td data-label="Acts for">${key.userName}</td><td data-label="Grants">${shown.join(', ')}</td>
<td data-label="Last used">${ago(key.lastUsedAt, clock)}</td><td data-label="Expires">${moment(key.expiresAt, clock)}</td><td data-label="State">${key.state}
${key.state !== 'revoked' && revokeForm(request, key)}</td></tr>`;
}

function revokeForm(request: PageRequest, { id, name }: KeyRow): Content {
  const confirm = `Revoke ${name}? It loses access immediately and permanently.`;
  return postForm(
    request,
    { action: `${PATH}/revoke`, hidden: { keyId: id }, confirm, class: 'plain' },
    html`<button class="secondary outline">Revoke</button>`,
  );
}

const form = handlersOn(show, labels);

const create = form(
  createKey,
  (sent) => ({
    name: sent.text('name'),
    userId: sent.id('userId'),
    grants: sent.all('grants'),
    expires: expiryOf(sent.text('expires'), Date.now()),
  }),
  ({ key }, request) => keyPage(request, key, request.form.all('grants')),
);

const revoke = form(revokeKey, (sent) => ({ keyId: sent.id('keyId') }), { redirect: PATH, notice: 'revoked' });

/** A path that works with every key, also one without workspaces:read. */
const pathFor = (grants: readonly string[]): string => (grants.includes('workspaces:read') ? 'workspaces' : 'capabilities');

function keyPage({ deps, basePath, form: sent, ctx, user }: PageRequest, key: string, given: readonly string[]): Answer {
  const line = `curl ${deps.config.baseUrl}/api/v1/${pathFor(given)} \\\n  -H "X-API-Key: $STINT_KEY"`;
  const missing = resources.filter((resource) => !given.some((grant) => grant.startsWith(`${resource}:`)));
  const expires = expiryOf(sent.text('expires'), Date.now());
  return secretPage({
    title: 'Your new API key',
    secret: key,
    what: 'the key',
    about: 'Copy the key now. It is shown only once. Keep it in an environment variable or a secret store.',
    facts: [
      ['Name', sent.text('name')],
      ['May', given.join(', ')],
      ...(missing.length > 0 ? [['No access to', missing.join(', ')] as const] : []),
      ['Expires', expires === null ? 'never' : moment(expires, clockOf({ ctx, user }))],
    ],
    back: { path: basePath + PATH, label: 'Back to API keys' },
    setUp: html`<p class="flabel">Try it</p>${codeBox('new-key-line', line, 'a first call')}<p class="hint">Lost it? Revoke it and create a new one.</p>`,
  });
}

export const keyRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/create`, handle: withPasswordConfirmation(create) },
  { method: 'POST', path: `${PATH}/revoke`, handle: revoke },
];
