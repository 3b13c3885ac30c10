-- no transaction
-- Each person gets one Monday summary for each week.
create unique index concurrently if not exists notifications_outlook_week on notifications (user_id, due_on) where kind = 'outlook_week';
