-- no transaction
-- A person's open work by its day: the first rows of each workspace are the head of an index, however many follow.
create index concurrently if not exists items_assigned on items (workspace_id, assignee_id, due, id) include (needs)
  where shown and not closed and assignee_id is not null;
