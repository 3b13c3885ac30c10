-- no transaction
create index concurrently if not exists items_archived on items (workspace_id, needs, id) where archived_at is not null
