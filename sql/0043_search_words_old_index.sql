-- no transaction
-- Processes of the previous version search without it until they are replaced: slower, with the same results.
drop index concurrently if exists item_texts_words
