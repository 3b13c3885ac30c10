-- Rows that a caller can't see leave no trace for them. Older processes don't notice: triggers set the new columns for their moves, too, and
-- what they read of moved time is less than before.

-- Where an earlier text of a comment (in changes, and the original of an edited one in comments) or recorded time was written, if a move has
-- brought it to another workspace (behaviour §42.7). Rights in that workspace decide who reads it. No foreign key: once the workspace is
-- erased, the number leads nowhere, and only the person reads their time. 0: a workspace that an imported file does not have.
alter table changes add column written_in bigint;
alter table comments add column written_in bigint;
alter table time_entries add column written_in bigint;

-- Time that is corrected to another item is written there anew.
create function keep_written_in() returns trigger language plpgsql as $$
begin
  new.written_in := case when new.item_id = old.item_id then nullif(coalesce(old.written_in, old.workspace_id), new.workspace_id) end;
  return new;
end $$;

create trigger keep_written_in before update of workspace_id on changes for each row
  when (old.workspace_id <> new.workspace_id and new.kind in ('comment.updated', 'comment.deleted'))
  execute function keep_written_in();
create trigger keep_written_in before update of workspace_id on comments for each row
  when (old.workspace_id <> new.workspace_id and new.edited_at is not null and new.original_body is not null)
  execute function keep_written_in();
create trigger keep_written_in before update of workspace_id, item_id on time_entries for each row
  when ((old.workspace_id, old.item_id) is distinct from (new.workspace_id, new.item_id))
  execute function keep_written_in();

-- workspace_id is where the time was written: sums for reports and forecasts stay there. moved_to: where its item is now, if elsewhere.
alter table time_parts add column moved_to bigint;

create or replace function keep_time_parts() returns trigger language plpgsql as $$
declare
  home bigint := coalesce(new.written_in, new.workspace_id);
  elsewhere bigint := case when new.written_in is not null then new.workspace_id end;
begin
  if tg_op = 'UPDATE' then
    delete from time_parts where entry_id = new.id;
  end if;
  if new.kind = 'manual' then
    insert into time_parts (account_id, workspace_id, user_id, entry_id, day, minutes, moved_to)
    values (new.account_id, home, new.user_id, new.id, new.day, new.minutes, elsewhere);
  elsif new.ended_at is not null then
    insert into time_parts (account_id, workspace_id, user_id, entry_id, day, minutes, moved_to)
    select new.account_id, home, new.user_id, new.id, p.day, p.minutes, elsewhere from split_by_utc_day(new.started_at, new.ended_at) p;
  end if;
  return null;
end $$;

create or replace trigger keep_changed_time_parts after update on time_entries for each row
  when ((old.workspace_id, old.written_in, old.kind, old.started_at, old.ended_at, old.day, old.minutes)
        is distinct from (new.workspace_id, new.written_in, new.kind, new.started_at, new.ended_at, new.day, new.minutes))
  execute function keep_time_parts();

-- The key in the source of an item that moved to a workspace where another item has this key (behaviour §42.6). Older processes show none.
alter table imported_items add column shadowed_key text check (length(shadowed_key) between 1 and 200);

create or replace function key_words(item bigint) returns text stable language sql as $$
  select coalesce((select E'\n' || lower(coalesce(k.key, k.shadowed_key)) from imported_items k where k.item_id = item), '')
$$;
create or replace trigger change_key_text after insert or delete or update of key, shadowed_key on imported_items for each row
  execute function change_key_text();

-- The key that encrypts cursors of changes (behaviour §15.7). It is stored here, because callers keep cursors for longer than SECRET_KEY
-- lasts. It protects only how many changes there are, which who reads this table sees anyway.
create table cursor_key (
  only_one boolean primary key default true check (only_one),
  key bytea not null check (octet_length(key) = 32)
);
insert into cursor_key (key) values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
