/** The settings of a workspace, as each part of the settings page gets them. */
import { getSettings } from '../../workspaces/administer.ts';
import type { Settings } from '../../workspaces/settingsQueries.ts';
import { call } from '../frame/call.ts';
import type { Content } from '../frame/html.ts';
import { csrfField } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';

export interface SettingsData {
  settings: Settings;
  /** With the context path. */
  at: string;
  csrf: Content;
}

/** Throws Forbidden for who does not run the workspace. */
export async function loadSettings(request: PageRequest): Promise<SettingsData> {
  const settings = await call<Settings>(request, getSettings, { workspaceId: Number(request.params.id) });
  return { settings, at: `${request.deps.config.basePath}/workspaces/${request.params.id}/settings`, csrf: csrfField(request.csrf) };
}
