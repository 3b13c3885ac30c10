-- How much a person wants to hear of one workspace (behaviour §30.5); null: as they chose for all of them.
alter table memberships add column notices text check (notices in ('page', 'off'));
