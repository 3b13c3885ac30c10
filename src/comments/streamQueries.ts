/** SQL of an item's comments, for the stream on its page (behaviour §15.11). */
import { z } from 'zod';
import { bits } from '../access/rights.ts';
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { ProgressNote } from './schema.ts';

const COMMENTS_READ = bits('comments', 'read');
const createdAt = fixedSql(instantText('c.created_at'));

export const StreamNote = ProgressNote.extend({
  originalBody: z.string().nullable(),
  author: z.object({ id: z.number(), name: z.string(), kind: z.enum(['person', 'service']) }),
});
export type StreamNote = z.infer<typeof StreamNote>;

const MOST_NOTES = 100;
/** Limit for the comments of a page with their originals: more would block the event loop (behaviour §15.11). */
const MOST_CHARACTERS = 200_000;

export const mayHaveOlder = (notes: readonly StreamNote[]): boolean =>
  notes.length === MOST_NOTES ||
  notes.reduce((sum, { body, originalBody }) => sum + body.length + (originalBody?.length ?? 0), 0) >= MOST_CHARACTERS;

/** JSON of the latest StreamNotes before `until`, newest first. For `access` and the item `i`. Null without comments:read. */
export const streamNotesJson = (until: string | null) => sql.fragment`case when access.context_rights & ${COMMENTS_READ} <> 0 then (
  select coalesce(json_agg(row_to_json(told) order by c.created_at desc, c.id desc), '[]')
  from (select *, sum(length(body) + coalesce(length(original_body), 0)) over (order by created_at desc, id desc
      rows between unbounded preceding and 1 preceding) as characters_after
    from (select * from comments c where c.item_id = i.id and (${until}::timestamptz is null or c.created_at < ${until}::timestamptz)
      order by c.created_at desc, c.id desc limit ${MOST_NOTES}) latest) c
    join lateral (select u.id, u.name, row_to_json(named) as person from users u cross join lateral (select u.id, u.name, u.kind) named where u.id = c.author_id) u on true
    cross join lateral (select c.id, c.body, ${createdAt} as "createdAt", u.name as "authorName", u.person as author,
      c.original_body is not null as rewritten, c.original_body as "originalBody") told
  where coalesce(c.characters_after, 0) < ${MOST_CHARACTERS}
) end`;
