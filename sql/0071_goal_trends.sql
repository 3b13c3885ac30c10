-- no transaction
-- Trends of goals (behaviour §27.3): the few changes of a goal's value, among all changes of an item.
create index concurrently if not exists changes_current on changes (item_id, version) where fields ? 'current'
