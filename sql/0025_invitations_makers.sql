-- no transaction
-- A link ends with the role or the activity of its creator: this index finds a creator's links (behaviour §12.22).
create index concurrently if not exists invitations_created_by on invitations (created_by, created_at);
