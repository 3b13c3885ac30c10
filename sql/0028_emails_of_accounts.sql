-- no transaction
-- One address may belong to a person in each of several accounts (behaviour §3.2). 0030 drops users_email.
create unique index concurrently if not exists users_account_email on users (account_id, lower(email));
