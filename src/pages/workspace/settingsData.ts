/** The settings of a workspace, as each part of the settings page gets them. */
import { getSettings, type Settings } from '../../workspaces/administer.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';
import type { FormContext } from '../frame/postForm.ts';

export interface SettingsData extends FormContext {
  settings: Settings;
  /** Below the context path. */
  path: string;
}

/** Throws Forbidden for who does not run the workspace. */
export async function loadSettings(request: PageRequest): Promise<SettingsData> {
  const settings = await call(request, getSettings, { workspaceId: Number(request.params.id) });
  const { basePath, csrf } = request;
  return { settings, path: `/workspaces/${request.params.id}/settings`, basePath, csrf };
}
