import { agentResources, resources } from '../../access/rights.ts';
import type { Operation } from '../../operations/operation.ts';
import { type SettingsPart, settingsParts, type WorkspaceSettings, workspaceSettings } from '../../overviews/workspaceSettings.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { tabs } from '../frame/components/boxes.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { Answer, PageRequest, PrivateRoute } from '../frame/page.ts';
import type { FormContext } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';

const named = (names: readonly string[]): Labels => Object.fromEntries(names.map((name) => [name, name]));

export const settingsLabels: Labels = {
  ...named(resources),
  ...named(agentResources),
  name: 'Name of the workspace',
  userId: 'Person',
  role: 'Role',
  timeOversight: 'Time oversight',
  forecasts: 'Who sees forecasts',
  label: 'Name',
  key: 'Key',
  status: 'Category',
  types: 'For',
  rank: 'Rank',
  wipItems: 'Most items',
  wipHours: 'Most hours',
  url: 'URL',
  kinds: 'Changes',
  format: 'Format',
  user: 'Creator',
  color: 'Color',
  description: 'Description',
  mergeInto: 'Merge into',
};

const names: Readonly<Record<SettingsPart, string>> = {
  general: 'General',
  members: 'Members',
  statuses: 'Statuses',
  labels: 'Labels',
  templates: 'Templates',
  agents: 'Agents',
  webhooks: 'Webhooks',
  import: 'Import',
  notices: 'Notifications',
};

/** The refusal, and the id of the card with the form. */
export interface Refused {
  refusal: Refusal;
  card: string;
}

export interface SettingsData extends FormContext {
  settings: WorkspaceSettings;
  /** Path of the workspace, below the context path. */
  workspacePath: string;
  /** Path of its settings. */
  path: string;
  /** Submitted values and errors of a refused form. */
  forms: Forms;
  clock: Clock;
  problem(card: string): Content;
}

/** Throws Forbidden if the user may not see this part. */
export async function loadSettings(request: PageRequest, part: SettingsPart, refused?: Refused): Promise<SettingsData> {
  const settings = await call(request, workspaceSettings, { workspaceId: Number(request.params.id), part });
  const { basePath, csrf } = request;
  const workspacePath = `/workspaces/${request.params.id}`;
  return {
    ...{ settings, basePath, csrf, clock: clockOf(request), workspacePath, path: `${workspacePath}/settings` },
    forms: formsOf(request, settingsLabels, refused?.refusal),
    problem: (card) => refused?.card === card && problemBox(refused.refusal.problem),
  };
}

export async function settingsPage(
  request: PageRequest,
  part: SettingsPart,
  body: (data: SettingsData) => Content,
  refused?: Refused,
  more?: Partial<Page>,
): Promise<Answer> {
  const data = await loadSettings(request, part, refused);
  return { ...settingsFrame(data, part, body(data)), status: refused?.refusal.status ?? 200, ...more };
}

export function settingsFrame({ settings, basePath, workspacePath, path }: SettingsData, part: SettingsPart, body: Content): Page {
  const { name, archived, role } = settings;
  const shown = settingsParts.filter((one) => isOpen(settings, one));
  return {
    crumbs: !archived && role !== null && trail({ href: `${basePath}${workspacePath}`, label: name }),
    title: `Settings of ${name}`,
    heading: html`Settings of <bdi>${name}</bdi>`,
    tab: `${names[part]}, settings of ${name}`,
    body: html`${tabs(
      'Settings',
      shown.map((one) => ({ href: `${basePath}${path}/${one}`, label: names[one], current: one === part })),
    )}
${archived && html`<p class="notice">This workspace is archived. Members and keys have no access to it.</p>`}
<div class="settings">${body}</div>`,
  };
}

function isOpen({ runs, keepsWebhooks, role, archived }: WorkspaceSettings, part: SettingsPart): boolean {
  if (part === 'webhooks') return keepsWebhooks;
  if (part === 'labels' || part === 'templates' || part === 'import') return keepsWebhooks && role !== null;
  return part === 'notices' ? role !== null && !archived : runs;
}

/** The settings part, the card, and the page that shows a refusal. */
export interface FormPlace {
  part: SettingsPart;
  card: string;
  show(request: PageRequest, refused: Refused): Promise<Answer>;
}

/** Runs the operation of a settings form and returns to its card. */
export function settingsForm<Input, Output>(
  path: string,
  operation: Operation<Input, Output>,
  input: (form: Form) => object,
  { part, card, show }: FormPlace,
  notice = 'saved',
): PrivateRoute {
  return {
    method: 'POST',
    path: `/workspaces/:id/settings/${path}`,
    handle: (request) =>
      submitted(request, operation, (sent) => ({ workspaceId: Number(request.params.id), ...input(sent) }), {
        done: () => ({ redirect: `/workspaces/${request.params.id}/settings/${part}#${card}`, notice }),
        labels: settingsLabels,
        again: (refusal) => show(request, { refusal, card }),
      }),
  };
}

export const texts = (sent: Form, ...names: string[]) => Object.fromEntries(names.map((name) => [name, sent.text(name)]));
