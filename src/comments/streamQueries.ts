/** SQL of an item's comments as its page tells them, among what else happened to it (behaviour §15.11). */
import { bits } from '../access/rights.ts';
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { ProgressNote } from './schema.ts';

const COMMENTS_READ = bits('comments', 'read');
const createdAt = fixedSql(instantText('c.created_at'));

/** With whose they are. */
export interface StreamNote extends Omit<ProgressNote, 'originalBody'> {
  originalBody: string | null;
  author: { id: number; name: string; kind: 'person' | 'service' };
}

/** JSON of the latest `limit` StreamNotes before `until`, newest first, for a statement with `access` and `i`, the row of an item; null for
 *  who may not read comments. */
export const streamNotesJson = (
  limit: number,
  until: string | null,
) => sql.fragment`case when access.context_rights & ${COMMENTS_READ} <> 0 then (
  select coalesce(json_agg(row_to_json(told) order by c.created_at desc, c.id desc), '[]')
  from (select * from comments c where c.item_id = i.id and (${until}::timestamptz is null or c.created_at < ${until}::timestamptz)
    order by c.created_at desc, c.id desc limit ${limit}) c
    join lateral (select u.id, u.name, row_to_json(named) as person from users u cross join lateral (select u.id, u.name, u.kind) named where u.id = c.author_id) u on true
    cross join lateral (select c.id, c.body, ${createdAt} as "createdAt", u.name as "authorName", u.person as author,
      c.original_body is not null as rewritten, c.original_body as "originalBody") told
) end`;
