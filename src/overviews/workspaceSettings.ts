/** The settings of a workspace by part (behaviour §30.1). Users who run the workspace see all parts, managers see its webhooks, and
 *  each member sees their own notices. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readWorkspaceSettings, settingsParts, type WorkspaceSettings } from './workspaceSettingsQueries.ts';

export { type SettingsPart, settingsParts, type WorkspaceSettings } from './workspaceSettingsQueries.ts';

const Part = z.strictObject({ workspaceId: Id, part: z.enum(settingsParts) });

export const workspaceSettings: Read<z.infer<typeof Part>, WorkspaceSettings> = {
  name: 'workspaceSettings',
  input: Part,
  async run(tx, caller, input) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    return readWorkspaceSettings(tx, caller, input);
  },
};
