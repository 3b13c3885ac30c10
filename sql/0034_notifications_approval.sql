-- no transaction
-- An approver gets one notification.
create unique index concurrently if not exists notifications_approval on notifications (approval_id) where approval_id is not null;
