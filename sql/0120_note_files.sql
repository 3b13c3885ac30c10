-- Attachments of personal notes move to the store of files (behaviour §11.11, §35.1).

-- A blob with these bytes, for files that are small enough for one value.
create function blob_of(account bigint, bytes bytea) returns bigint language plpgsql as $$
declare
  made bigint;
begin
  insert into blobs (account_id, size, sha256, kept) values (account, octet_length(bytes), sha256(bytes), true) returning id into made;
  insert into blob_chunks (account_id, blob_id, n, bytes)
  select account, made, n, substring(bytes from n * 262144 + 1 for 262144)
  from generate_series(0, (octet_length(bytes) + 262143) / 262144 - 1) n;
  return made;
end $$;

create function bytes_of(account bigint, blob bigint) returns bytea stable language sql as $$
  select coalesce(string_agg(c.bytes, ''::bytea order by c.n), ''::bytea) from blob_chunks c where c.account_id = account and c.blob_id = blob
$$;

alter table note_attachments add column blob_id bigint, add column size bigint;
