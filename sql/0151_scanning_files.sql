-- no transaction
-- Counts a person's files that wait for their scan, for taking turns.
create index concurrently if not exists item_files_scanning on item_files (added_by, id) where state = 'scanning';
