-- Validates the constraints of 0125 for older rows.
alter table changes validate constraint changes_left_check;
alter table changes validate constraint changes_item_id_fkey;
