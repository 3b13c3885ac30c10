-- Validates the constraint of 0050 for older rows.
alter table notifications validate constraint notifications_item_id_fkey;
alter table notifications validate constraint notifications_change_id_fkey;
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
