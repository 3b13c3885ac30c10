-- Why an export failed (behaviour §41). Older processes leave it null; they know only lost access.
alter table data_exports add column reason text check (reason in ('access', 'room'));
