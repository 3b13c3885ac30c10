-- no transaction
-- Lists of work in their usual order (behaviour §19.2): one set of needs, status and priority is a stream by due day and id. A missing
-- value is stored as a value, so that every step is an equality.
create index concurrently if not exists items_list on items (workspace_id, needs, status_key, (coalesce(priority_key, '')), (coalesce(due, 'infinity'::date)), id) where shown
