-- How a person recognizes their sessions, and when they last confirmed their password in each (null: at sign-in).
alter table sessions
  add column device text,
  add column address text,
  add column confirmed_at timestamptz;
