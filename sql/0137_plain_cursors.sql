-- Up to where cursors that are not encrypted count, as 1.2.0 gave them (behaviour §15.7). Later ones would be made up, to find the numbers of
-- transactions by trying. In a restored dump, transactions have other numbers: the whole era of the dump is earlier.
alter table cursor_key add column plain_era integer, add column plain_xact xid8;
update cursor_key set (plain_era, plain_xact) = (
  select change_era() + restored::integer, case when restored then '0'::xid8 else pg_current_xact_id() end
  from (select exists (select from changes where era = change_era() and xact >= pg_snapshot_xmax(pg_current_snapshot())) as restored) dump);
