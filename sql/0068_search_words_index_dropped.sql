-- no transaction
-- Processes of the version before search without it until they are replaced: slower, and just as well.
drop index concurrently if exists item_texts_key
