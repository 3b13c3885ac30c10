-- Who works on the queue, and what the schedule has started.

-- One row per lane of a worker process, touched every few seconds: whose row grows old is dead, and its jobs are put back
-- (graphile-worker by itself would leave them locked for four hours). `id` is what locks the jobs.
create table workers (
  id text primary key,
  lane text not null,
  pid integer not null,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- A tick that has a row has happened: whichever process inserts it enqueues the job in the same transaction.
create table schedule_ticks (
  task text not null,
  due timestamptz not null,
  primary key (task, due)
);
