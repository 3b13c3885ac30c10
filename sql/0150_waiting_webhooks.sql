-- no transaction
-- Counts the webhooks of an account that wait, for taking turns. Revoked ones stay, without a limit.
create index concurrently if not exists webhooks_unrevoked on webhooks (account_id) where revoked_at is null;
