-- no transaction
-- Items of a workspace in the order of their numbers (behaviour §5.1, §7.22). The columns after the id let the index check these filters.
-- The negative workspace is a name for this index: plans are made once for all arguments, and only statements in this order may choose it.
create index concurrently if not exists items_by_id on items
  ((-workspace_id), type, closed, id, needs, assignee_id, status_key, (coalesce(priority_key, '')), (coalesce(due, 'infinity'::date)))
  where shown
