-- no transaction
-- Imports find items by their shadowed keys (0132): few of all items.
create index concurrently if not exists imported_items_shadowed on imported_items (workspace_id, source, shadowed_key) where shadowed_key is not null;
