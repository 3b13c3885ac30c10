/** SQL of attachments. Users can't add files to an encrypted note, because they would not be encrypted. Import can. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Found = z.object({ id: z.number() });
const Added = z.object({ id: z.number(), blobId: z.number() });
const File = z.object({ name: z.string(), content: z.instanceof(Buffer) });

const within = ({ userId }: Permit, noteId: number, opened: boolean) => sql.fragment`
  n.id = ${noteId} and n.user_id = ${userId} and (n.protection <> 'locked' or ${opened}::boolean)`;

export function insertAttachment(
  tx: Tx,
  permit: Permit,
  { noteId, opened, name, content }: { noteId: number; opened: boolean; name: string; content: Buffer },
): Promise<z.infer<typeof Added> | null> {
  return tx.maybeOne(sql.type(Added)`
    with n as (select n.* from personal_notes n where ${within(permit, noteId, opened)} and n.protection <> 'encrypted')
    insert into note_attachments (account_id, note_id, name, blob_id, size)
    select n.account_id, n.id, ${name}, blob_of(n.account_id, ${sql.binary(content)}), ${content.length} from n returning id, blob_id as "blobId"`);
}

export function readAttachment(
  tx: Tx,
  permit: Permit,
  { noteId, opened, attachmentId }: { noteId: number; opened: boolean; attachmentId: number },
): Promise<z.infer<typeof File> | null> {
  return tx.maybeOne(sql.type(File)`
    select a.name, bytes_of(a.account_id, a.blob_id) as content from note_attachments a join personal_notes n on n.account_id = a.account_id and n.id = a.note_id
    where a.id = ${attachmentId} and ${within(permit, noteId, opened)}`);
}

export function removeAttachment(
  tx: Tx,
  permit: Permit,
  { noteId, opened, attachmentId }: { noteId: number; opened: boolean; attachmentId: number },
): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Found)`
    delete from note_attachments a using personal_notes n
    where n.account_id = a.account_id and n.id = a.note_id and a.id = ${attachmentId} and ${within(permit, noteId, opened)}
    returning a.id`);
}
