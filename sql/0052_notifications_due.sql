-- no transaction
-- Each person gets one notification for each due item and date.
create unique index concurrently if not exists notifications_due on notifications (item_id, user_id, kind, due_on) where due_on is not null;
