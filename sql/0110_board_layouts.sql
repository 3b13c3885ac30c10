-- Grouping, order and open columns of a member's boards, by item type (behaviour §38.4). Older processes ignore them.
alter table memberships add column board_layouts jsonb not null default '{}';
