-- no transaction
-- Signing in finds everybody who has an address.
create index concurrently if not exists users_address on users (lower(email));
