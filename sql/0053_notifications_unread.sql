-- no transaction
-- What a person has not read: counted on every page, and looked through for the digest.
create index concurrently if not exists notifications_unread on notifications (user_id, id desc) where read_at is null;
