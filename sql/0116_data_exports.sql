-- Exports of an account's data as zip files (behaviour §41). Older processes ignore them.
create table data_exports (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  -- who asked for it; only this person may download it
  user_id bigint not null,
  workspace_ids bigint[] not null,
  state text not null check (state in ('making', 'ready', 'failed')),
  blob_id bigint,
  size bigint,
  created_at timestamptz not null default now(),
  mail_state text check (mail_state in ('waiting', 'sending', 'sent', 'unknown')),
  mail_failures integer not null default 0,
  mail_error text,
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, blob_id) references blobs (account_id, id)
);
create index data_exports_user on data_exports (account_id, user_id);
create index data_exports_blob on data_exports (account_id, blob_id) where blob_id is not null;
create unique index data_exports_making on data_exports (user_id) where state = 'making';

create function delete_export_bytes() returns trigger language plpgsql as $$
begin
  delete from blobs where account_id = old.account_id and id = old.blob_id;
  return null;
end $$;
create trigger delete_export_bytes after delete on data_exports for each row when (old.blob_id is not null) execute function delete_export_bytes();
