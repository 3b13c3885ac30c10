/** The audit line of a permanent deletion contains only the id: titles and names are private (behaviour §17.2). */
import type { Permit } from '../access/caller.ts';
import type { Line } from '../audit/line.ts';

export function deletionLine(what: 'note' | 'file' | 'folder', { accountId, userId }: Permit, id: number): Line {
  return { kind: `${what}.erased`, accountId, workspaceId: null, userId, name: '', subject: { type: what, id }, changes: {} };
}
