-- Living workers, and the ticks that the schedule has started.

-- One row per lane of a worker process, updated every few seconds. A lane whose row grows old is dead, and its jobs are released
-- (graphile-worker by itself would leave them locked for four hours). `id` is the locks' owner.
create table workers (
  id text primary key,
  lane text not null,
  pid integer not null,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- A tick with a row has run: the process that inserts the row enqueues the job in the same transaction.
create table schedule_ticks (
  task text not null,
  due timestamptz not null,
  primary key (task, due)
);
