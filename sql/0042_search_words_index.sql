-- no transaction
create index concurrently if not exists item_texts_key on item_texts using gin (workspace_id, search_key(words) gin_trgm_ops) with (gin_pending_list_limit = 128)
