-- no transaction
-- Each person gets one notification each time that a webhook pauses.
create unique index concurrently if not exists notifications_webhook on notifications (webhook_id, user_id, due_at) where webhook_id is not null;
