-- What each process counts, for METRICS_GATHER=database: one row a process, written every few seconds; worth nothing after a crash, so
-- unlogged (behaviour §1.8).

create unlogged table process_metrics (
  process text primary key,
  seen_at timestamptz not null default now(),
  metrics json not null
);
