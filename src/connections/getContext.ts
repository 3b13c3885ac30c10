/** svc_context: where an agent stands and what it may do there (behaviour §7.21). */
import { z } from 'zod';
import { agentLevels } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readContext } from './queries.ts';

const Input = z.strictObject({ workspaceId: Id.optional().meta({ description: 'One workspace only; all of yours when left out' }) });

export const getContext: Read<z.infer<typeof Input>, object> = {
  name: 'getContext',
  input: Input,
  async run(tx, caller, { workspaceId }) {
    const found = await readContext(tx, caller, workspaceId);
    if (workspaceId !== undefined && !found.workspaces.length) throw new Forbidden();
    return {
      actor: { id: found.user_id, name: found.user_name, kind: found.kind },
      connection: {
        id: found.connection_id,
        name: found.name,
        timezone: found.timezone,
        expiresAt: found.expires_at,
        plainLanguage: found.plain_language,
        permissions: agentLevels(found.rights),
      },
      today: found.today,
      personalNotesEnabled: found.note_rights !== 0,
      workspaces: found.workspaces.map((place) => ({ ...place, limits: agentLevels(place.limits), access: agentLevels(place.access) })),
    };
  },
};
