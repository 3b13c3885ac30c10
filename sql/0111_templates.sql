-- Templates of a workspace: items with dates relative to the earliest (behaviour §37.5). `items` is checked by src/templates/schema.ts.
create table templates (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  name text not null check (length(name) between 1 and 200),
  items jsonb not null check (jsonb_array_length(items) between 1 and 500),
  -- the rights to write all types of its items: the row alone decides who may use it
  needs integer not null,
  created_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id)
);
create unique index templates_name on templates (workspace_id, lower(name));
