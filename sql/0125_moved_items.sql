-- Items move to another workspace of the account and keep their id (behaviour §42). The workspace that they left keeps a row of the move,
-- with the item's title at that time, for readers who could read the item at that time.
alter table changes
  add column left_needs integer,
  add column left_title text,
  add constraint changes_left_check check ((left_needs is null) = (left_title is null)) not valid,
  drop constraint changes_workspace_id_item_id_fkey,
  add constraint changes_item_id_fkey foreign key (item_id) references items not valid;
