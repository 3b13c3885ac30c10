-- no transaction
-- Finds a person's series, of which those that wait in the queue are counted for taking turns.
create index concurrently if not exists recurrences_person on recurrences (user_id, id) where state = 'active';
