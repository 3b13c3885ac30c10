-- A person's own settings (behaviour §22.3), and links that change the address they sign in with (§22.5). The token in a link is an HMAC
-- over these columns with SECRET_KEY, so that no row and no queued mail contains it.

alter table users
  -- Single-key shortcuts on the pages.
  add column single_keys boolean not null default true,
  -- The user chose their zone, or their browser's was stored.
  add column zone_chosen boolean not null default false,
  -- The first steps are dismissed.
  add column first_steps_done boolean not null default false;

create table email_changes (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  old_email text not null,
  email text not null check (length(email) between 3 and 320),
  nonce text not null,
  expires_at timestamptz not null default now() + interval '24 hours',
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index email_changes_user on email_changes (user_id);
