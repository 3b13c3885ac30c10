/** The settings of a workspace, a part at a time (behaviour §30.1): for those who run it; its webhooks for its managers as well, and a
 *  member's own notices for that member. */
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
