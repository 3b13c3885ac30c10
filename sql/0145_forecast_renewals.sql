-- Since when a forecast is out of date and waits for its renewal; null: it does not (behaviour §6.26). One job of the account renews them.
alter table capacity_forecasts add column renew_since timestamptz;
create index capacity_forecasts_renew on capacity_forecasts (account_id) where renew_since is not null;
