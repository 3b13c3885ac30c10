-- no transaction
-- Items that left an item (behaviour §38.7): few of all changes.
create index concurrently if not exists changes_left on changes using gin (left_links(fields)) where left_links(fields) <> '{}'
