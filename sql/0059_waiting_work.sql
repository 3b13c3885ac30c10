-- no transaction
-- Work that waits for a decision: few rows, and other changes cost nothing here.
create index concurrently if not exists items_waiting on items (workspace_id, id) where shown and status = 'pending_approval';
