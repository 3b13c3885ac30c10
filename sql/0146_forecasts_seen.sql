-- Who sees dates and outlooks of forecasts on pages (behaviour §6.30): people with time oversight, or all members. Workspaces from before keep
-- their level.
alter table workspaces add column forecasts text not null default 'oversight' check (forecasts in ('oversight', 'members'));
alter table workspaces alter column forecasts set default 'members';
