-- no transaction
-- One address may belong to a person in each of several accounts (behaviour §3.2); users_email goes in 0030.
create unique index concurrently if not exists users_account_email on users (account_id, lower(email));
