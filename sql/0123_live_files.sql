-- Open pages of an item show added, removed and scanned files at once (behaviour §35.13). These are no changes, because callers never see
-- files. NOTIFY makes commits wait for one another, but files are rare.
create function tell_of_files() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('filesOf', new.item_id, 'account', new.account_id)::text);
  return null;
end $$;

create trigger tell_of_new_file after insert on item_files for each row execute function tell_of_files();
create trigger tell_of_changed_file after update of removed_at, state on item_files for each row
  when ((old.removed_at, old.state) is distinct from (new.removed_at, new.state))
  execute function tell_of_files();
