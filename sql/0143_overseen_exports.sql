-- The workspaces of which an export has the time of others: downloads need time oversight of them (behaviour §41.3).
alter table data_exports add column overseen_ids bigint[] not null default '{}';
