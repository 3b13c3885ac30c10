-- no transaction
create index concurrently if not exists item_texts_phrases on item_texts using gin (workspace_id, phrase_key(words) gin_trgm_ops) with (gin_pending_list_limit = 128)
