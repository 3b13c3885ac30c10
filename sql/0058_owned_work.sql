-- no transaction
-- The same of what they own and somebody else, or nobody, works on: apart, so that no item stands in both.
create index concurrently if not exists items_owned on items (workspace_id, owner_id, due, id) include (needs)
  where shown and not closed and owner_id is not null and owner_id is distinct from assignee_id;
