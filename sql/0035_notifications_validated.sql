-- Validates the constraint of 0051 for older rows.
alter table notifications validate constraint notifications_approval_id_fkey;
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
