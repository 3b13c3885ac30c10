/** SQL of earlier versions of entries (behaviour §28.6). */

import { visibleById } from '../access/itemQueries.ts';
import { sql } from '../database/sql.ts';

const MOST = 300;

/** For a statement with `access` and the reader's `parts`: JSON of EarlierEntry, latest first for each entry. */
export const earlierJson = sql.fragment`(
  select coalesce(json_agg(one), '[]') from (
    select v.entry_id as "entryId", v.kind, v.started_at as "startedAt", v.ended_at as "endedAt", v.day as date, v.minutes, v.note,
      v.item_id as "itemId", i.title as "itemTitle", v.reason, v.replaced_at as "replacedAt"
    from (select distinct entry_id as id from parts) own join time_entry_versions v on v.entry_id = own.id
    left join lateral (select i.title from items i join access on ${visibleById} where i.id = v.item_id limit 1) i on true
    order by v.entry_id, v.revision desc limit ${MOST}
  ) one)`;
