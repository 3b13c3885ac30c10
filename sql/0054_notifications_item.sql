-- no transaction
-- The notifications of an item.
create index concurrently if not exists notifications_item on notifications (workspace_id, item_id) where item_id is not null;
