-- no transaction
-- What waits for a decision: few, and a change of anything else costs nothing here.
create index concurrently if not exists items_waiting on items (workspace_id, id) where shown and status = 'pending_approval';
