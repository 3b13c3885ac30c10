-- Tenants and their people. Every table carries account_id, so that the data can be spread by tenant later (behaviour §14.4).

create table accounts (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  email text not null check (length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 200),
  kind text not null default 'person' check (kind in ('person', 'service')),
  account_role text not null default 'member' check (account_role in ('owner', 'admin', 'member')),
  password_hash text,
  timezone text not null default 'UTC',
  -- null: never confirmed; the forecast then uses 40 hours (behaviour §6.15)
  weekly_minutes integer check (weekly_minutes between 0 and 10080),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  unique (account_id, id)
);

create unique index users_email on users (lower(email));
