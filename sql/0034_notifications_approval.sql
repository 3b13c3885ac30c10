-- no transaction
-- An approver is told once.
create unique index concurrently if not exists notifications_approval on notifications (approval_id) where approval_id is not null;
