-- When people work: dated hours, working days, absences and public holidays (behaviour §34).
alter table users
  -- bits: 1 for Monday … 64 for Sunday
  add column weekdays smallint not null default 31 check (weekdays between 1 and 127),
  -- null: the account's; 'none': no public holidays
  add column holiday_region text check (length(holiday_region) between 1 and 40);
alter table accounts add column holiday_region text check (length(holiday_region) between 1 and 40);

-- Hours and working days from a day on. Before the first, those of the user's row count.
create table working_hours (
  account_id bigint not null,
  user_id bigint not null,
  starts_on date not null,
  weekly_minutes integer not null check (weekly_minutes between 0 and 10080),
  weekdays smallint not null check (weekdays between 1 and 127),
  primary key (user_id, starts_on),
  foreign key (account_id, user_id) references users (account_id, id)
);

create table absences (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  first_day date not null,
  last_day date not null,
  -- only half of each working day
  half boolean not null,
  reason text not null check (length(reason) <= 200),
  -- whether others see the reason
  shared boolean not null,
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references users (account_id, id),
  check (last_day between first_day and first_day + 731)
);
create index absences_user on absences (user_id, last_day);
create index absences_account on absences (account_id);
create index working_hours_account on working_hours (account_id);

-- Public holidays of the regions that accounts and users have chosen: public knowledge of no account.
create table holidays (
  region text not null,
  day date not null,
  -- only from about noon
  half boolean not null,
  name text not null,
  primary key (region, day)
);

-- A user's confirmed weekly minutes of today.
create function weekly_minutes_now(person bigint, base integer) returns integer language sql stable as $$
  select coalesce((select h.weekly_minutes from working_hours h where h.user_id = person and h.starts_on <= current_date
    order by h.starts_on desc limit 1), base)
$$;
