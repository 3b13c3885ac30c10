-- no transaction
-- Deleting recorded time finds the blocks that started it.
create index concurrently if not exists plan_blocks_entry on plan_blocks (entry_id) where entry_id is not null;
