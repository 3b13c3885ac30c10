-- no transaction
-- A person's unread notifications: counted on every page, and read for the digest.
create index concurrently if not exists notifications_unread on notifications (user_id, id desc) where read_at is null;
