-- no transaction
-- Each person is told once of each time that a webhook came to rest.
create unique index concurrently if not exists notifications_webhook on notifications (webhook_id, user_id, due_at) where webhook_id is not null;
