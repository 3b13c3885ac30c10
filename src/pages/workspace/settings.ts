/** /workspaces/:id/settings: general settings (behaviour §3.18, §30.1). */
import { archiveWorkspace, changeForecasts, eraseWorkspace, renameWorkspace } from '../../workspaces/administer.ts';
import { type ForecastReaders, forecastReaders } from '../../workspaces/schema.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { agentsRoutes } from './agents.ts';
import { labelRoutes } from './labels.ts';
import { membersRoutes } from './members.ts';
import { noticesRoutes } from './notices.ts';
import { type Refused, type SettingsData, settingsForm, settingsPage, texts } from './settingsData.ts';
import { templateRoutes } from './templates.ts';
import { workflowRoutes } from './workflow.ts';

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'general', (data) => html`${nameCard(data)}${forecastsCard(data)}${archiveCard(data)}${eraseCard(data)}`, refused);

/** Reloads the page, because the sidebar shows the name too. */
function nameCard(data: SettingsData): Content {
  const action = `${data.path}/name`;
  const fields = data.forms(action);
  const value = fields.value('name', data.settings.name);
  const form = postForm(
    data,
    { action, class: 'narrow' },
    fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${value}"${mark}>`),
    button('Rename'),
  );
  return card('Name', html`${data.problem('name')}${form}`, { id: 'name' });
}

const forecastReaderWords: Readonly<Record<ForecastReaders, readonly [words: string, hint: string]>> = {
  oversight: ['People with time oversight', 'Owners and managers, unless set otherwise under Members.'],
  members: [
    'All members',
    'Everyone who sees a release, requirement or milestone also sees its date and outlook, without names and loads of people.',
  ],
};

function forecastsCard(data: SettingsData): Content {
  const action = `${data.path}/forecasts`;
  const chosen = data.forms(action).value('forecasts', data.settings.forecasts);
  const choices = forecastReaders.map((value) => {
    const [words, hint] = forecastReaderWords[value];
    return html`<label class="choice"><input type="radio" name="forecasts" value="${value}"${value === chosen && html` checked`}> ${words}<small>${hint}</small></label>`;
  });
  const form = postForm(
    data,
    { action, live: '#forecasts' },
    html`<fieldset class="choices"><legend>Who sees forecasts</legend>${choices}</fieldset>${button('Save')}`,
  );
  const hint = html`<p class="hint">Capacity, with everyone’s load, and forecasts for keys and agents always require time oversight.</p>`;
  return card('Forecasts', html`${data.problem('forecasts')}${form}${hint}`, { id: 'forecasts' });
}

function archiveCard(data: SettingsData): Content {
  const { name, archived } = data.settings;
  const [to, title, words, hint, question] = archived
    ? ['no', 'Restore', 'Restore workspace', 'Members, keys and agents get their access back.', back(name)]
    : ['yes', 'Archive', 'Archive workspace', 'No data is deleted. You can restore the workspace here.', away(name)];
  const form = postForm(
    data,
    { action: `${data.path}/archive`, hidden: { archived: to }, confirm: question, class: 'plain' },
    button(words, archived ? {} : { kind: 'danger' }),
  );
  return card(title, html`${data.problem('archive')}<p class="hint">${hint}</p>${form}`, { id: 'archive' });
}

function eraseCard({ settings, workspacePath, path, basePath, problem, clock, ...data }: SettingsData): Content {
  const { name, archived, erasedAt } = settings;
  if (erasedAt !== null)
    return card('Erase', html`<p class="notice">This workspace will be erased on ${moment(erasedAt, clock)}. Restore it to keep it.</p>`, {
      id: 'erase',
    });
  const question = `Erase ${name}? It is archived now and deleted with all its data in 30 days. Until then you can restore it here.`;
  const form = postForm(
    { basePath, ...data },
    { action: `${path}/erase`, confirm: question, class: 'plain' },
    button('Erase workspace', { kind: 'danger' }),
  );
  const list = archived ? '' : html` <a href="${basePath}${workspacePath}/list.csv">Download its list as CSV</a>.`;
  return card(
    'Erase',
    html`${problem('erase')}<p class="hint">The workspace is archived now and deleted with all its data after 30 days.</p>
<p class="hint">Keep a copy first.${list} To export all data, ask the operator to run <code>stint workspace export</code>.</p>${form}`,
    { id: 'erase' },
  );
}

const back = (name: string): string => `Restore ${name}? Its members and their keys get access again immediately.`;
const away = (name: string): string =>
  `Archive ${name}? It is hidden from all members, and keys lose access immediately. No data is deleted.`;

async function first({ params, query }: PageRequest): Promise<Answer> {
  const redirect = `/workspaces/${params.id}/settings/general`;
  const notice = query.get('notice');
  return notice === 'created' ? { redirect, notice } : { redirect };
}

const place = (name: string) => ({ part: 'general', card: name, show }) as const;
const path = '/workspaces/:id/settings';

const erase = settingsForm('erase', eraseWorkspace, () => ({}), place('erase'));

export const workspaceSettingsRoutes: PageRoute[] = [
  { method: 'GET', path, handle: first },
  { method: 'GET', path: `${path}/general`, handle: (request) => show(request) },
  settingsForm('name', renameWorkspace, (sent) => texts(sent, 'name'), place('name')),
  settingsForm('forecasts', changeForecasts, (sent) => texts(sent, 'forecasts'), place('forecasts')),
  settingsForm('archive', archiveWorkspace, (sent) => ({ archived: sent.text('archived') === 'yes' }), place('archive')),
  { ...erase, handle: withPasswordConfirmation(erase.handle) },
  ...membersRoutes,
  ...workflowRoutes,
  ...labelRoutes,
  ...templateRoutes,
  ...agentsRoutes,
  ...noticesRoutes,
];
