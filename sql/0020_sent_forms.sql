-- Forms that count once, such as those that create a key: sent twice, or reloaded, they change nothing more. Deleted with their session.

create table sent_forms (
  account_id bigint not null references accounts,
  session_id bigint not null references sessions (id) on delete cascade,
  nonce text not null check (length(nonce) between 1 and 64),
  primary key (session_id, nonce)
);
