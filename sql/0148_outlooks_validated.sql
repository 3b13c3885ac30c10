-- Validates the constraints of 0147 for older rows.
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
