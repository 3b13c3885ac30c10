-- Files of items (behaviour §35.3).

create table item_files (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  -- null after the bytes were deleted; the row then is a line of the item's history
  blob_id bigint,
  name text not null check (length(name) between 1 and 200),
  size bigint not null,
  -- by the first bytes
  type text not null,
  state text not null check (state in ('scanning', 'ready', 'refused')),
  added_by bigint not null,
  added_at timestamptz not null default now(),
  removed_by bigint,
  removed_at timestamptz,
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (account_id, blob_id) references blobs (account_id, id) on delete set null (blob_id),
  foreign key (account_id, added_by) references users (account_id, id),
  foreign key (account_id, removed_by) references users (account_id, id)
);
create index item_files_item on item_files (item_id, id);
create index item_files_workspace on item_files (workspace_id, id);
create index item_files_blob on item_files (blob_id) where blob_id is not null;

-- A small picture made by the uploader's browser.
create table file_thumbnails (
  account_id bigint not null,
  blob_id bigint not null,
  type text not null,
  bytes bytea not null check (octet_length(bytes) <= 65536),
  primary key (blob_id),
  foreign key (account_id, blob_id) references blobs (account_id, id) on delete cascade
);
