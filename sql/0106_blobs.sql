-- Bytes of files, in chunks (behaviour §35.1). Rows of other tables say what a file is, and refer to its blob.

create table blobs (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  -- of the chunks so far
  size bigint not null default 0,
  -- null while the upload runs
  sha256 bytea check (octet_length(sha256) = 32),
  -- false until a row of another table refers to it; a job deletes such blobs when they are old
  kept boolean not null default false,
  touched_at timestamptz not null default now(),
  unique (account_id, id)
);
create index blobs_unkept on blobs (touched_at) where not kept;

create table blob_chunks (
  account_id bigint not null,
  blob_id bigint not null,
  n integer not null,
  -- 256 KiB; the last one may be shorter
  bytes bytea not null,
  primary key (account_id, blob_id, n),
  foreign key (account_id, blob_id) references blobs (account_id, id) on delete cascade
);
-- Most large files are compressed already.
alter table blob_chunks alter column bytes set storage external;

-- One row an account. Uploads lock it for each chunk, so that simultaneous ones can't exceed the quota together.
create table blob_usage (
  account_id bigint primary key references accounts,
  bytes bigint not null
);

create function count_blob() returns trigger language plpgsql as $$
begin
  insert into blob_usage as u (account_id, bytes)
  values (coalesce(new.account_id, old.account_id), coalesce(new.size, 0) - coalesce(old.size, 0))
  on conflict (account_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_blob after insert or delete or update of size on blobs for each row execute function count_blob();
