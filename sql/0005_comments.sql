-- Comments (agents call them notes). A rewritten note also keeps the submitted text (behaviour §8.3).

create table comments (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  author_id bigint not null,
  body text not null check (length(body) between 1 and 12000),
  original_body text,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, author_id) references users (account_id, id)
);

create index comments_latest on comments (item_id, created_at desc, id desc);
