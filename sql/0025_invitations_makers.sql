-- no transaction
-- A link ends with the role or the activity of whoever made it: theirs are found here (behaviour §12.22).
create index concurrently if not exists invitations_created_by on invitations (created_by, created_at);
