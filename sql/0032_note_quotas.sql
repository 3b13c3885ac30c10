-- Size of a person's notes and files, and its limit (behaviour §11.15). Triggers count, so that every write counts, also by processes older
-- than this file. Older rows are counted when their owner next writes: no table is read here.

create table note_usage (
  user_id bigint primary key,
  account_id bigint not null,
  note_bytes bigint not null,
  file_bytes bigint not null,
  foreign key (account_id, user_id) references users (account_id, id)
);

-- Each note counts as at least 1 KiB, so that the number of notes is limited, too.
create function note_weight(bytes bigint) returns bigint immutable language sql as $$ select greatest(1024, bytes) $$;
create function note_weight(n personal_notes) returns bigint immutable language sql as $$
  select note_weight(octet_length(n.html)::bigint + coalesce(octet_length(n.cipher), 0))
$$;

-- Callers are row triggers that run before the change: what they see here is without it.
create function count_notes(account bigint, owner bigint, more_note_bytes bigint, more_file_bytes bigint) returns void language plpgsql as $$
declare
  used note_usage;
  most_note_bytes constant bigint := 100 * 1024 * 1024;
  most_file_bytes constant bigint := 500 * 1024 * 1024;
begin
  if not exists (select from note_usage u where u.user_id = owner) then
    insert into note_usage (user_id, account_id, note_bytes, file_bytes)
    select owner, account,
           (select coalesce(sum(note_weight(n)), 0) from personal_notes n where n.account_id = account and n.user_id = owner),
           (select coalesce(sum(note_weight(octet_length(a.content)::bigint)), 0)
              from personal_notes n join note_attachments a on a.account_id = n.account_id and a.note_id = n.id
              where n.account_id = account and n.user_id = owner)
    on conflict do nothing;
  end if;
  update note_usage u set note_bytes = u.note_bytes + more_note_bytes, file_bytes = u.file_bytes + more_file_bytes
  where u.user_id = owner returning * into used;
  -- Who is above, from before there was a limit, may still shorten and delete.
  if more_note_bytes > 0 and used.note_bytes > most_note_bytes then
    raise exception 'too many bytes of notes' using errcode = 'ST004', detail = used.note_bytes - more_note_bytes;
  end if;
  if more_file_bytes > 0 and used.file_bytes > most_file_bytes then
    raise exception 'too many bytes of files' using errcode = 'ST005', detail = used.file_bytes - more_file_bytes;
  end if;
end $$;

create function count_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its files: by the time that they follow their note, they can't tell whose they were.
    perform count_notes(old.account_id, old.user_id, -note_weight(old),
      -(select coalesce(sum(note_weight(octet_length(a.content)::bigint)), 0)::bigint from note_attachments a
        where a.account_id = old.account_id and a.note_id = old.id));
    return old;
  end if;
  perform count_notes(new.account_id, new.user_id, note_weight(new) - case tg_op when 'UPDATE' then note_weight(old) else 0 end, 0);
  return new;
end $$;

create function count_file() returns trigger language plpgsql as $$
declare
  file note_attachments := case tg_op when 'DELETE' then old else new end;
  owner bigint := (select n.user_id from personal_notes n where n.account_id = file.account_id and n.id = file.note_id);
  bytes bigint := note_weight(octet_length(file.content)::bigint);
begin
  if owner is not null then
    perform count_notes(file.account_id, owner, 0, case tg_op when 'DELETE' then -bytes else bytes end);
  end if;
  return file;
end $$;

create trigger count_note before insert or delete or update of html, cipher on personal_notes for each row execute function count_note();
create trigger count_file before insert or delete on note_attachments for each row execute function count_file();
