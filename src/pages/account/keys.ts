/** /settings/keys: REST keys of the account, for its owner (behaviour §3.19). */

import { type Grant, grants, grantsOf } from '../../access/rights.ts';
import { createKey, type KeyRow, listKeys, revokeKey } from '../../accounts/keys.ts';
import type { Person } from '../../accounts/people.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { secretPage } from '../frame/secret.ts';
import { expiries, expiryOf, moment, option } from '../frame/widgets.ts';

const PATH = '/settings/keys';

async function show(request: PageRequest, problem?: string): Promise<Answer> {
  const { deps, csrf, user, form } = request;
  const { keys, people } = await call<{ keys: readonly KeyRow[]; people: readonly Person[] }>(request, listKeys, {});
  const at = deps.config.basePath + PATH;
  return {
    title: 'API keys',
    status: problem ? 400 : 200,
    body: html`
${problem && html`<p class="error" role="alert">${problem}</p>`}
<p>A key acts for one user and never outranks them: what it may do is its grants, cut down to what that user may do at the moment of each call. <a href="${deps.config.basePath}/api/v1/docs">API reference</a></p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Key</th><th scope="col">Acts for</th><th scope="col">Grants</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">State</th></tr></thead>
<tbody>${keys.length ? keys.map((key) => row(at, csrf, key)) : html`<tr><td colspan="6">No key yet.</td></tr>`}</tbody>
</table></div>
<h2>Create a key</h2>
<form method="post" action="${at}/create">${csrfField(csrf)}${onceField()}
<div class="sides">
<label>Name <input name="name" required maxlength="200" value="${form.text('name')}" placeholder="What will use it"></label>
<label>Acts for <select name="userId">${people.map((person) => option(String(person.id), `${person.name} (${person.email})`, form.text('userId') || String(user.id)))}</select></label>
<label>Expires <select name="expires">${Object.entries(expiries).map(([value, label]) => option(value, label, form.text('expires') || '90'))}</select></label>
</div>
<fieldset><legend>Grants</legend>${grantTable(form.all('grants'))}</fieldset>
<button>Create the key</button>
</form>`,
  };
}

/** One line per resource; what has no write has no box for it. */
function grantTable(chosen: string[]): Content {
  const resources = [...new Set(grants.map((grant) => grant.split(':')[0]!))];
  const box = (resource: string, right: 'read' | 'write') => {
    const grant = `${resource}:${right}`;
    const label = right === 'read' ? 'Read' : 'Write';
    return (
      grants.includes(grant as Grant) &&
      html`<label><input type="checkbox" name="grants" value="${grant}" aria-label="${label} ${resource}"${chosen.includes(grant) && html` checked`}> ${label}</label>`
    );
  };
  return html`<div class="scroll"><table><thead><tr><th scope="col">Resource</th><th scope="col">Read</th><th scope="col">Write (and read)</th></tr></thead>
<tbody>${resources.map((resource) => html`<tr><th scope="row">${resource}</th><td>${box(resource, 'read')}</td><td>${box(resource, 'write')}</td></tr>`)}</tbody></table></div>`;
}

function row(at: string, csrf: string, key: KeyRow): Content {
  const shown = grantsOf(key.rights).filter(
    (grant, _at, all) => !(grant.endsWith(':read') && all.includes(grant.replace(':read', ':write') as Grant)),
  );
  return html`<tr><th scope="row">${key.name}<br><small class="muted">created ${moment(key.createdAt)}</small></th><td data-label="Acts for">${key.userName}</td><td data-label="Grants">${shown.join(', ')}</td>
<td data-label="Last used">${moment(key.lastUsedAt)}</td><td data-label="Expires">${moment(key.expiresAt)}</td><td data-label="State">${key.state}
${key.state !== 'revoked' && html`<form method="post" action="${at}/revoke" class="plain" data-confirm="Revoke ${key.name}? Whatever uses it loses access at once, for good.">${csrfField(csrf)}<input type="hidden" name="keyId" value="${key.id}"><button class="secondary outline">Revoke</button></form>`}</td></tr>`;
}

async function create(request: PageRequest): Promise<Answer> {
  const { form, deps } = request;
  try {
    const expires = expiryOf(form.text('expires'), Date.now());
    const input = { name: form.text('name'), userId: form.id('userId'), grants: form.all('grants'), expires };
    const { key } = await call<{ key: string }>(request, createKey, input);
    const back = { path: deps.config.basePath + PATH, label: 'Back to the keys' };
    return secretPage(
      'Your new API key',
      key,
      back,
      html`<p>Try it:</p><pre><code>curl -H "X-API-Key: $STINT_KEY" ${deps.config.baseUrl}/api/v1/workspaces</code></pre>`,
    );
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return show(request, error.message);
  }
}

async function revoke(request: PageRequest): Promise<Answer> {
  await call(request, revokeKey, { keyId: request.form.id('keyId') });
  return { redirect: PATH, notice: 'revoked' };
}

export const keyRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/create`, handle: create },
  { method: 'POST', path: `${PATH}/revoke`, handle: revoke },
];
