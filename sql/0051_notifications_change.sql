-- no transaction
-- Each person gets one notification of a change.
create unique index concurrently if not exists notifications_change on notifications (change_id, user_id) where change_id is not null;
