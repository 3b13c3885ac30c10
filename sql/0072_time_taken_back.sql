-- A manual entry can be deleted: it stays with 0 minutes, and its earlier values (behaviour §28.4).
alter table time_entries drop constraint time_entries_check;
alter table time_entries add constraint time_entries_times check (case kind
  when 'timer' then started_at is not null and ended_at >= started_at and day = (started_at at time zone 'UTC')::date
                    and minutes is not distinct from whole_minutes(started_at, ended_at)
  else started_at is null and ended_at is null and minutes is not null and minutes between 0 and 1440 end) not valid;
