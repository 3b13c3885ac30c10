-- no transaction
-- The people who commented on an item, and since when: they get notifications of its comments and statuses (behaviour §10.15).
create index concurrently if not exists comments_authors on comments (item_id, author_id, created_at)
