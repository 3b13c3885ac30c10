/** The settings of a workspace as the parts of their page use them. */
import { getSettings } from '../../workspaces/administer.ts';
import type { Settings } from '../../workspaces/settingsQueries.ts';
import { call } from '../frame/call.ts';
import type { Content } from '../frame/html.ts';
import { csrfField } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';

export interface SettingsView {
  settings: Settings;
  /** With the context path. */
  at: string;
  csrf: Content;
}

/** Throws Forbidden for who does not run the workspace. */
export async function readView(request: PageRequest): Promise<SettingsView> {
  const settings = await call<Settings>(request, getSettings, { workspaceId: Number(request.params.id) });
  return { settings, at: `${request.deps.config.basePath}/workspaces/${request.params.id}/settings`, csrf: csrfField(request.csrf) };
}
