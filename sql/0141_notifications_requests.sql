-- no transaction
-- The unread requests for approval of an item, which a decision marks as read.
create index concurrently if not exists notifications_requests on notifications (item_id, change_id)
  where kind = 'approval_requested' and read_at is null
