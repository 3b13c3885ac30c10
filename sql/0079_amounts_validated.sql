-- Validates the constraint of 0077 for older rows.
alter table items validate constraint items_amounts;
