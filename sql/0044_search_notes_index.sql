-- no transaction
create index concurrently if not exists comments_key on comments using gin (workspace_id, search_key(lower(body)) gin_trgm_ops) with (gin_pending_list_limit = 128)
