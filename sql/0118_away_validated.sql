-- Validates the constraints of 0117 for older rows.
alter table notifications validate constraint notifications_absence_fkey;
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
