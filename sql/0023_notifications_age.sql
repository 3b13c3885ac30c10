-- no transaction
-- The hourly job that deletes old notifications finds them here (behaviour §14.1).
create index concurrently if not exists notifications_created on notifications (created_at);
