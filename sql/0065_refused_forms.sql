-- A form that was refused, for an hour, so that its page can be reloaded (behaviour §22.8). Nothing of forms with a password, or with a file; it
-- ends with its session.

create table refused_forms (
  token_hash bytea primary key,
  account_id bigint not null references accounts,
  session_id bigint not null references sessions on delete cascade,
  path text not null,
  fields jsonb not null,
  -- Why a rule refused it; null where reading the form again tells.
  refusal jsonb,
  created_at timestamptz not null default now()
);

create index refused_forms_session on refused_forms (session_id, created_at);
create index refused_forms_account on refused_forms (account_id);
create index refused_forms_created on refused_forms (created_at);
