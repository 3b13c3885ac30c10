-- A transaction that marks a workspace's forecast holds a lock of that workspace until it ends, even if the mark is set already: the
-- job that takes the mark waits for exactly these transactions (behaviour §6.25). It is shared; the
-- job takes it exclusively for a moment.
create function lock_capacity_mark() returns trigger language plpgsql as $$ begin
  perform pg_advisory_xact_lock_shared(x'434d4b'::integer, (new.workspace_id % 2147483648)::integer);
  return new;
end $$;

create trigger lock_capacity_mark before insert on capacity_marks for each row execute function lock_capacity_mark();
