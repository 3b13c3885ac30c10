-- no transaction
-- The change that made an item done (behaviour §4.18): leaving done finds what it set.
create index concurrently if not exists changes_done on changes (item_id, version) where fields -> 'status' ->> 1 = 'done'
