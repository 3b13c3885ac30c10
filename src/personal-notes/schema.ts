/** Input and output of the tools for personal notes (behaviour §7.20). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Line } from '../audit/line.ts';
import { isId } from '../values/text.ts';

export const Html = z.string({ error: 'give the HTML of the note' });

const folderMessage = 'give the id of a folder from svc_personal_notes_list, or 0 for none';
/** 0: without a folder. */
export const FolderId = z
  .number({ error: folderMessage })
  .refine((id) => id === 0 || isId(id), folderMessage)
  .meta({ type: 'integer', minimum: 0, description: '0: unfiled' });

export const Revision = z.int('give the revision that you read').min(1, 'give the revision that you read');

/** The result and the whole receipt of a write: no text, no title (behaviour §7.18, §11.19). */
export interface NoteReceipt {
  id: number;
  revision: number;
}

/** The audit line of a permanent deletion contains only the id: titles and names are private (behaviour §17.2). */
export function deletionLine(what: 'note' | 'file' | 'folder', { accountId, userId }: Permit, id: number): Line {
  return { kind: `${what}.erased`, accountId, workspaceId: null, userId, name: '', subject: { type: what, id }, changes: {} };
}
