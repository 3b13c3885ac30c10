-- Minutes from the reminder to the block's start, if `remind_start` (behaviour §10.10).
alter table plan_blocks
  add column remind_minutes integer not null default 10,
  add constraint plan_blocks_remind_minutes_check check (remind_minutes between 0 and 120) not valid;
