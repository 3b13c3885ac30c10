-- Labels of items, in one workspace (behaviour §33.1).
create table labels (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  name text not null check (length(name) between 1 and 80),
  color text not null check (color in ('grey', 'teal', 'green', 'amber', 'pink', 'violet')),
  description text not null default '' check (length(description) <= 1000),
  archived_at timestamptz,
  -- A merged label stays, so that saved views and late writes with its id find the other one.
  merged_into bigint,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, merged_into) references labels (workspace_id, id)
);
create unique index labels_name on labels (workspace_id, lower(name)) where merged_into is null;
create index labels_merged on labels (merged_into) where merged_into is not null;

create table item_labels (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  label_id bigint not null,
  primary key (item_id, label_id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (workspace_id, label_id) references labels (workspace_id, id)
);
create index item_labels_label on item_labels (label_id, item_id);
create index item_labels_workspace on item_labels (workspace_id);
