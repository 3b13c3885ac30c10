-- One-time links that make an owner where there is nobody yet: of the first account, or of one that an operator created (behaviour §12.28).
-- The operators' own, for there may be no account. Only a hash is stored; a row ends with its use, and with its week.

create table owner_links (
  token_hash bytea primary key,
  -- Null: whoever uses it creates the first account as well.
  account_id bigint references accounts,
  expires_at timestamptz not null
);
create index owner_links_account_id on owner_links (account_id);
