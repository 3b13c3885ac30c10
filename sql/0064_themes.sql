-- How a person wants the pages to look (behaviour §18.10).
alter table users add column theme text not null default 'system' check (theme in ('system', 'light', 'dark'));
