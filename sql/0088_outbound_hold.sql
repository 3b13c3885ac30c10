-- While it has a row, no mail, webhook message or reminder is sent: their jobs wait in the queue (behaviour §2.30). Outside of any account.
create table outbound_hold (
  one boolean primary key default true check (one),
  since timestamptz not null default now()
);
