-- The bytes of attachments are only in the store of files (behaviour §11.11, §35.1).
-- Older code reads and writes them in note_attachments.
-- oldest code: 0122

-- Added since 0121.
update note_attachments set blob_id = blob_of(account_id, content), size = octet_length(content) where blob_id is null;
alter table note_attachments
  alter column blob_id set not null,
  alter column size set not null,
  add foreign key (account_id, blob_id) references blobs (account_id, id),
  drop column content;

create function delete_blob() returns trigger language plpgsql as $$
begin
  delete from blobs b where b.account_id = old.account_id and b.id = old.blob_id;
  return null;
end $$;
create trigger delete_blob after delete on note_attachments for each row execute function delete_blob();

-- As in 0032, with the size in its own column.
create or replace function count_notes(account bigint, owner bigint, more_note_bytes bigint, more_file_bytes bigint) returns void language plpgsql as $$
declare
  used note_usage;
  most_note_bytes constant bigint := 100 * 1024 * 1024;
  most_file_bytes constant bigint := 500 * 1024 * 1024;
begin
  if not exists (select from note_usage u where u.user_id = owner) then
    insert into note_usage (user_id, account_id, note_bytes, file_bytes)
    select owner, account,
           (select coalesce(sum(note_weight(n)), 0) from personal_notes n where n.account_id = account and n.user_id = owner),
           (select coalesce(sum(note_weight(a.size)), 0)
              from personal_notes n join note_attachments a on a.account_id = n.account_id and a.note_id = n.id
              where n.account_id = account and n.user_id = owner)
    on conflict do nothing;
  end if;
  update note_usage u set note_bytes = u.note_bytes + more_note_bytes, file_bytes = u.file_bytes + more_file_bytes
  where u.user_id = owner returning * into used;
  if more_note_bytes > 0 and used.note_bytes > most_note_bytes then
    raise exception 'too many bytes of notes' using errcode = 'ST004', detail = used.note_bytes - more_note_bytes;
  end if;
  if more_file_bytes > 0 and used.file_bytes > most_file_bytes then
    raise exception 'too many bytes of files' using errcode = 'ST005', detail = used.file_bytes - more_file_bytes;
  end if;
end $$;

create or replace function count_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform count_notes(old.account_id, old.user_id, -note_weight(old),
      -(select coalesce(sum(note_weight(a.size)), 0)::bigint from note_attachments a where a.account_id = old.account_id and a.note_id = old.id));
    return old;
  end if;
  perform count_notes(new.account_id, new.user_id, note_weight(new) - case tg_op when 'UPDATE' then note_weight(old) else 0 end, 0);
  return new;
end $$;

create or replace function count_file() returns trigger language plpgsql as $$
declare
  file note_attachments := case tg_op when 'DELETE' then old else new end;
  owner bigint := (select n.user_id from personal_notes n where n.account_id = file.account_id and n.id = file.note_id);
  bytes bigint := note_weight(file.size);
begin
  if owner is not null then
    perform count_notes(file.account_id, owner, 0, case tg_op when 'DELETE' then -bytes else bytes end);
  end if;
  return file;
end $$;
