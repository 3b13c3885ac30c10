-- Shown columns of a member's lists (behaviour §19.12): an item type, or "view ID", to column names.
alter table memberships add column list_columns jsonb not null default '{}';
