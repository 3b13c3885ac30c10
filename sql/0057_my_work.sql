-- no transaction
-- A person's open work in the order of due dates. A query reads only the first index entries of each workspace, so its cost does not grow
-- with the number of items.
create index concurrently if not exists items_assigned on items (workspace_id, assignee_id, due, id) include (needs)
  where shown and not closed and assignee_id is not null;
