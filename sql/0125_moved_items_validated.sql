-- Validates the constraints of 0124 for older rows.
alter table changes validate constraint changes_left_check;
alter table changes validate constraint changes_item_id_fkey;
