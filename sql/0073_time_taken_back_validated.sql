-- What 0072 holds new rows to holds for the old ones, too.
alter table time_entries validate constraint time_entries_times;
