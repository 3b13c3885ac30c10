-- Live pages (behaviour §31): a follower sends changes of items to the web processes, and personal events are sent immediately.

insert into change_followers (name, era, xact, id) select 'live', change_era(), pg_snapshot_xmin(pg_current_snapshot()), 0;

-- NOTIFY makes commits wait for one another: use it only for rare writes, and never when an item is saved.
create function tell_person() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('person', new.user_id)::text);
  return null;
end $$;

create trigger tell_of_new_timer after insert on time_entries for each row when (new.minutes is null) execute function tell_person();
create trigger tell_of_timer after update on time_entries for each row
  when (old.minutes is null and (old.minutes, old.revision) is distinct from (new.minutes, new.revision))
  execute function tell_person();

create trigger tell_of_new_notification after insert on notifications for each row execute function tell_person();
create trigger tell_of_read_notification after update on notifications for each row
  when (old.read_at is distinct from new.read_at) execute function tell_person();
