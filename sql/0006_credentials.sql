-- REST keys and browser sessions. Only the SHA-256 of a secret is stored.

create table rest_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  name text not null check (length(name) between 1 and 200),
  key_hash bytea not null unique,
  rights integer not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index rest_keys_account on rest_keys (account_id, id);
create index rest_keys_user on rest_keys (user_id);

create table sessions (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Shared request counts per minute. Unlogged, because they may be lost in a crash.
create unlogged table rate_windows (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);

create index rate_windows_start on rate_windows (window_start);
