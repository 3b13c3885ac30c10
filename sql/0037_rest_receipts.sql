-- One row per write over REST with an Idempotency-Key, committed with it (behaviour §5.20), like agents' receipts. Kept 30 days; those of a
-- session are deleted with it.

create table rest_receipts (
  account_id bigint not null references accounts,
  -- its key or its session: one of the two
  key_id bigint references rest_keys (id),
  session_id bigint references sessions (id) on delete cascade,
  idempotency_key uuid not null,
  operation text not null,
  -- keyed hash of the parsed body
  fingerprint bytea not null,
  result json not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(key_id, session_id) = 1),
  unique (key_id, idempotency_key),
  unique (session_id, idempotency_key)
);

create index rest_receipts_created on rest_receipts (created_at);
