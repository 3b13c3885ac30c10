-- What 0046 holds new rows to holds for the old ones, too.
alter table notifications validate constraint notifications_webhook_id_fkey;
alter table notifications validate constraint notifications_kind_check;
alter table notifications validate constraint notifications_subject_check;
