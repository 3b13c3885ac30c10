-- Until when an account has used its share of the workers for renewing its forecasts (behaviour §6.26). Each renewal adds five times its length.
alter table accounts add column forecasts_owed_until timestamptz;
