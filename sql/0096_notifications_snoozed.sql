-- A snoozed notification is left out of the inbox and its count until this time (behaviour §20.13).
alter table notifications add column snoozed_until timestamptz;
create trigger tell_of_snoozed_notification after update on notifications for each row
  when (old.snoozed_until is distinct from new.snoozed_until) execute function tell_person();
