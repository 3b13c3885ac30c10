-- One-time links that create an owner: of the first account, or of one that an operator created (behaviour §12.28). Not in any account,
-- because there may be none. Only a hash is stored. A row is deleted when it is used, and after a week.

create table owner_links (
  token_hash bytea primary key,
  -- Null: using it creates the first account as well.
  account_id bigint references accounts,
  expires_at timestamptz not null
);
create index owner_links_account_id on owner_links (account_id);
