-- Limits of board columns by status (behaviour §38.1). Older processes ignore them.
alter table statuses
  add column wip_items integer check (wip_items between 1 and 400),
  add column wip_hours integer check (wip_hours between 1 and 10000);
