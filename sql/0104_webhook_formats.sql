-- Formats of webhook messages for chat services (behaviour §16.10). Older workers send all webhooks in the default format.
alter table webhooks add column format text not null default 'stint' check (format in ('stint', 'slack', 'teams', 'discord'));
