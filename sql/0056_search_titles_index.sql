-- no transaction
create index concurrently if not exists item_texts_title_key on item_texts using gin (workspace_id, search_key(split_part(words, E'\n', 1)) gin_trgm_ops) with (gin_pending_list_limit = 128)
