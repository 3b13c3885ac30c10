/** All attacks by name, in the report's order. They run in a separate process (attacker.ts), so that they don't slow the measurement. */
import type { Attack } from './attack.ts';
import { byBodies } from './byBodies.ts';
import { byConnections } from './byConnections.ts';
import { byFiles } from './byFiles.ts';
import { byFindings } from './byFindings.ts';
import { byRights } from './byRights.ts';
import { bySaturation } from './bySaturation.ts';

export const attacks: Record<string, Attack> = { ...byConnections, ...byBodies, ...bySaturation, ...byFindings, ...byFiles, ...byRights };
