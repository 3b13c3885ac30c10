/** The settings of a workspace, as each part of the settings page gets them. */

import { agentResources, resources } from '../../access/rights.ts';
import { getSettings, type Settings } from '../../workspaces/administer.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import type { Labels } from '../frame/faults.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import type { PageRequest } from '../frame/page.ts';
import type { FormContext } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';

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
};

export interface SettingsData extends FormContext {
  settings: Settings;
  /** Below the context path. */
  path: string;
  /** What was typed into the form that was refused, and what is wrong with it. */
  forms: Forms;
  clock: Clock;
}

/** Throws Forbidden for who does not run the workspace. */
export async function loadSettings(request: PageRequest, refusal?: Refusal): Promise<SettingsData> {
  const settings = await call(request, getSettings, { workspaceId: Number(request.params.id) });
  const { basePath, csrf } = request;
  const forms = formsOf(request, settingsLabels, refusal);
  return { settings, path: `/workspaces/${request.params.id}/settings`, forms, clock: clockOf(request), basePath, csrf };
}
