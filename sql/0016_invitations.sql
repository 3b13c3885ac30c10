-- Links for setting a password: invitations and forgotten passwords. The token in a link is an HMAC over these columns with SECRET_KEY, so
-- that no row and no queued mail contains it.

create table invitations (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  nonce text not null,
  expires_at timestamptz not null default now() + interval '7 days',
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index invitations_user on invitations (user_id);
