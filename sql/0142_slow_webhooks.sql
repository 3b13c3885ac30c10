-- The last attempt took so long that the next ones run apart from those of other webhooks (behaviour §16.12).
alter table webhooks add column slow boolean not null default false;
