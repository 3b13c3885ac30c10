-- A person's colour theme (behaviour §18.10).
alter table users add column theme text not null default 'system' check (theme in ('system', 'light', 'dark'));
