-- no transaction
-- The same for work that they own without being the assignee: separate, so that no item is in both.
create index concurrently if not exists items_owned on items (workspace_id, owner_id, due, id) include (needs)
  where shown and not closed and owner_id is not null and owner_id is distinct from assignee_id;
