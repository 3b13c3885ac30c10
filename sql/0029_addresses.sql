-- no transaction
-- Signing in finds all users with an address.
create index concurrently if not exists users_address on users (lower(email));
