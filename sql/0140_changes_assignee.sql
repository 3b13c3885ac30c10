-- no transaction
-- The assignee of an item after a change (behaviour §10.15): the few changes of an item that set the assignee.
create index concurrently if not exists changes_assignee on changes (item_id, version) where fields ? 'assigneeId'
