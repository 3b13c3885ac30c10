/** A part of a workspace's settings, each at an address of its own: its frame with the tabs, and what it is shown with. */
import { agentResources, resources } from '../../access/rights.ts';
import { type SettingsPart, settingsParts, type WorkspaceSettings, workspaceSettings } from '../../overviews/workspaceSettings.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { tabs } from '../frame/components/tabs.ts';
import type { Labels } from '../frame/faults.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { FormContext } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';

const named = (names: readonly string[]): Labels => Object.fromEntries(names.map((name) => [name, name]));

/** What the forms of the settings call their fields. */
export const settingsLabels: Labels = {
  ...named(resources),
  ...named(agentResources),
  name: 'Name of the workspace',
  userId: 'Person',
  role: 'Role',
  timeOversight: 'Time oversight',
  label: 'Name',
  key: 'Key',
  status: 'Stands for',
  types: 'For',
  rank: 'Rank',
  url: 'URL',
  kinds: 'Changes',
  user: 'Maker',
};

const names: Readonly<Record<SettingsPart, string>> = {
  general: 'General',
  members: 'Members',
  statuses: 'Statuses',
  agents: 'Agents',
  webhooks: 'Webhooks',
  notices: 'Notices',
};

/** What was refused, and the card that its form stands in. */
export interface Refused {
  refusal: Refusal;
  card: string;
}

export interface SettingsData extends FormContext {
  settings: WorkspaceSettings;
  /** Of all settings of the workspace, below the context path. */
  path: string;
  /** What was typed into the form that was refused, and what is wrong with it. */
  forms: Forms;
  clock: Clock;
  /** What is told above the forms of a card, if one of them was refused. */
  problem(card: string): Content;
}

/** Throws Forbidden for who may not see that part. */
export async function loadSettings(request: PageRequest, part: SettingsPart, refused?: Refused): Promise<SettingsData> {
  const settings = await call(request, workspaceSettings, { workspaceId: Number(request.params.id), part });
  const { basePath, csrf } = request;
  return {
    ...{ settings, basePath, csrf, clock: clockOf(request), path: `/workspaces/${request.params.id}/settings` },
    forms: formsOf(request, settingsLabels, refused?.refusal),
    problem: (card) => refused?.card === card && problemBox(refused.refusal.problem),
  };
}

/** The page of a part. `more`: what else it has, as a bundle of scripts. */
export async function settingsPage(
  request: PageRequest,
  part: SettingsPart,
  body: (data: SettingsData) => Content,
  refused?: Refused,
  more?: Partial<Page>,
): Promise<Answer> {
  const data = await loadSettings(request, part, refused);
  return { ...settingsFrame(request, data, part, body(data)), status: refused?.refusal.status ?? 200, ...more };
}

/** Around a part, and around what lies within it. */
export function settingsFrame(request: PageRequest, { settings, basePath, path }: SettingsData, part: SettingsPart, body: Content): Page {
  const { name, archived, role } = settings;
  const shown = settingsParts.filter((one) => isOpen(settings, one));
  return {
    crumbs: !archived && role !== null && trail({ href: `${basePath}/workspaces/${request.params.id}`, label: name }),
    title: `Settings of ${name}`,
    tab: `${names[part]}, settings of ${name}`,
    body: html`${tabs(
      'Settings',
      shown.map((one) => ({ href: `${basePath}${path}/${one}`, label: names[one], current: one === part })),
    )}
${archived && html`<p class="notice">This workspace is archived: nobody sees it, and no key reaches it.</p>`}
<div class="settings">${body}</div>`,
  };
}

function isOpen({ runs, keepsWebhooks, role, archived }: WorkspaceSettings, part: SettingsPart): boolean {
  if (part === 'webhooks') return keepsWebhooks;
  return part === 'notices' ? role !== null && !archived : runs;
}
