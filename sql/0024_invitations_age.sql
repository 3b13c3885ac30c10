-- no transaction
-- The hourly job that deletes old links finds them here (behaviour §14.1).
create index concurrently if not exists invitations_created on invitations (created_at);
