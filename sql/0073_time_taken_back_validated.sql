-- Validates the constraint of 0072 for older rows.
alter table time_entries validate constraint time_entries_times;
