-- Recorded time: timers and manual entries, their earlier versions, and their minutes per UTC day (behaviour §9.6, §9.7).
-- A person's time and plans change under the lock of their users row (src/time/queries.ts, lockPerson).

-- Whole minutes from one instant to another, rounded down; null when one is open.
create function whole_minutes(started timestamptz, ended timestamptz) returns integer
  language sql immutable parallel safe strict
  return floor(extract(epoch from ended - started) / 60)::integer;

create table time_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  item_id bigint not null,
  kind text not null check (kind in ('timer', 'manual')),
  -- timers only; whole milliseconds, so that the API returns the stored value
  started_at timestamptz,
  ended_at timestamptz,
  -- UTC: the day a timer started, the day a manual entry is for
  day date not null,
  -- null: the timer runs
  minutes integer,
  note text not null default '' check (length(note) <= 2000),
  revision integer not null default 1,
  corrected boolean not null default false,
  created_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  check (case kind
    when 'timer' then started_at is not null and ended_at >= started_at and day = (started_at at time zone 'UTC')::date
                      and minutes is not distinct from whole_minutes(started_at, ended_at)
    else started_at is null and ended_at is null and minutes is not null and minutes between 1 and 1440 end)
);

-- One running timer per person, whatever else goes wrong.
create unique index time_entries_running on time_entries (user_id) where minutes is null;
create index time_entries_running_on_item on time_entries (item_id) where minutes is null;
create index time_entries_item on time_entries (item_id);

-- An entry before a correction, and the reason of the correction: one row per correction.
create table time_entry_versions (
  account_id bigint not null,
  entry_id bigint not null references time_entries,
  revision integer not null,
  workspace_id bigint not null,
  item_id bigint not null,
  kind text not null,
  started_at timestamptz,
  ended_at timestamptz,
  day date not null,
  minutes integer,
  note text not null,
  -- of the correction that replaced this version
  reason text not null check (length(reason) between 1 and 2000),
  replaced_at timestamptz not null default now(),
  primary key (entry_id, revision)
);

-- An entry's minutes per UTC day, set by the trigger below: sums for people and forecasts are index look-ups.
create table time_parts (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  entry_id bigint not null references time_entries on delete cascade,
  day date not null,
  minutes integer not null check (minutes between 0 and 1440),
  primary key (entry_id, day)
);

create index time_parts_person on time_parts (user_id, day) include (workspace_id, minutes, entry_id);
create index time_parts_workspace on time_parts (workspace_id, day) include (user_id, minutes);

-- A range of time cut at 00:00 UTC, without empty days. Minutes are rounded down cumulatively, so that they sum to the whole exactly.
create function split_by_utc_day(started timestamptz, ended timestamptz) returns table (day date, minutes integer)
  language sql immutable parallel safe strict rows 2
as $$
  select d::date,
         whole_minutes(started, least(ended, (d + interval '1 day') at time zone 'UTC'))
           - whole_minutes(started, greatest(started, d at time zone 'UTC'))
  from generate_series(date_trunc('day', started at time zone 'UTC'), ended at time zone 'UTC', interval '1 day') d
  where d < ended at time zone 'UTC' or d = started at time zone 'UTC'
$$;

create function keep_time_parts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from time_parts where entry_id = new.id;
  end if;
  if new.kind = 'manual' then
    insert into time_parts values (new.account_id, new.workspace_id, new.user_id, new.id, new.day, new.minutes);
  elsif new.ended_at is not null then
    insert into time_parts
    select new.account_id, new.workspace_id, new.user_id, new.id, p.day, p.minutes from split_by_utc_day(new.started_at, new.ended_at) p;
  end if;
  return null;
end $$;

create trigger keep_new_time_parts after insert on time_entries for each row execute function keep_time_parts();

create trigger keep_changed_time_parts after update on time_entries for each row
  when ((old.workspace_id, old.kind, old.started_at, old.ended_at, old.day, old.minutes)
        is distinct from (new.workspace_id, new.kind, new.started_at, new.ended_at, new.day, new.minutes))
  execute function keep_time_parts();
