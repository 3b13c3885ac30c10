-- A refused form, for an hour, so that its page can be reloaded (behaviour §22.8). Forms with a password or a file are not stored. Deleted
-- with its session.

create table refused_forms (
  token_hash bytea primary key,
  account_id bigint not null references accounts,
  session_id bigint not null references sessions on delete cascade,
  path text not null,
  fields jsonb not null,
  -- The rule that refused it. Null if validating the form again gives the reason.
  refusal jsonb,
  created_at timestamptz not null default now()
);

create index refused_forms_session on refused_forms (session_id, created_at);
create index refused_forms_account on refused_forms (account_id);
create index refused_forms_created on refused_forms (created_at);
