-- no transaction
-- Each person gets one notification for each absence and item.
create unique index concurrently if not exists notifications_absence on notifications (absence_id, item_id, user_id) where absence_id is not null;
