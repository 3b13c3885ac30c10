-- How many notifications a person gets from one workspace (behaviour §30.5). Null: their default.
alter table memberships add column notices text check (notices in ('page', 'off'));
