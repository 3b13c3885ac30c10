-- Validates the constraint of 0046 for older rows.
alter table notifications validate constraint notifications_webhook_id_fkey;
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
