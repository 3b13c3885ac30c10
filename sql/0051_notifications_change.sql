-- no transaction
-- Each person is told of a change once.
create unique index concurrently if not exists notifications_change on notifications (change_id, user_id) where change_id is not null;
