-- no transaction
-- The owner of an item after a change (behaviour §10.15): the few changes of an item that set the owner.
create index concurrently if not exists changes_owner on changes (item_id, version) where fields ? 'ownerId'
