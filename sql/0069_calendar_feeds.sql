-- The secret address of a person's calendar of plan blocks (behaviour §25.3): one for each person. Only its hash is stored.
create table calendar_feeds (
  account_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id)
);
