-- Counts of each process, for METRICS_GATHER=database: one row a process, written every few seconds. Unlogged, because they may be lost in
-- a crash (behaviour §1.8).

create unlogged table process_metrics (
  process text primary key,
  seen_at timestamptz not null default now(),
  metrics json not null
);
