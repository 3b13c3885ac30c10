-- What a person tells their sessions apart by, and when they gave their password in one last (null: when it began).
alter table sessions
  add column device text,
  add column address text,
  add column confirmed_at timestamptz;
