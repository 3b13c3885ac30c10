-- The client that used a connection last, and the protocol version it spoke (behaviour §7.50). Null: unknown.
alter table connections
  add column client text check (length(client) <= 100),
  add column protocol_version text check (length(protocol_version) <= 100);
