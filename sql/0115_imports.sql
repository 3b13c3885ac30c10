-- Imports of other services' files into a workspace (behaviour §36.20).

create table imports (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  -- who uploaded the file, and whose rights each batch checks
  user_id bigint not null,
  source text not null check (source in ('csv', 'jira', 'linear', 'asana', 'trello', 'github', 'stint')),
  file_name text not null check (length(file_name) between 1 and 255),
  -- null once the file is deleted
  blob_id bigint,
  file_size bigint not null default 0,
  map jsonb not null default '{}',
  state text not null check (state in ('reading', 'ready', 'unreadable', 'running', 'stopped', 'done', 'undoing', 'undone')),
  -- why the file is unreadable, or why the import stopped
  problem text,
  -- Counts up with each change of the choices, so that an older preview never replaces a newer one.
  revision integer not null default 1,
  -- rows of the file in import_rows so far; null once all are
  staged integer default 0,
  total integer,
  -- the place of the last row that is written, or that undo has passed
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  comments integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  -- when the present job began, and the place then: for the time left
  resumed_at timestamptz,
  resumed_at_place integer not null default 0,
  finished_at timestamptz,
  unique (account_id, id),
  unique (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, blob_id) references blobs (account_id, id) on delete set null (blob_id)
);
create index imports_workspace on imports (workspace_id, id);
create index imports_user on imports (account_id, user_id);
create index imports_blob on imports (account_id, blob_id) where blob_id is not null;
-- One import writes into a workspace at a time.
create unique index imports_running on imports (workspace_id) where state in ('running', 'undoing');

-- Survey and report of the file. They name people, so the prune job deletes them.
create table import_reports (
  account_id bigint not null,
  import_id bigint primary key,
  survey jsonb not null,
  report jsonb not null,
  -- the first items as they would become
  preview jsonb not null,
  foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
);

-- The items of a run before they are written, and later the rows with a problem.
create table import_rows (
  account_id bigint not null,
  import_id bigint not null,
  n integer not null,
  line integer,
  key text,
  -- 'links': dependencies that close over later rows, set after all items
  kind text not null check (kind in ('issue', 'container', 'links')),
  planned json,
  -- keys of its parent and blockers, without cycles
  links json,
  -- the order of writing: parents and blockers first
  place integer,
  -- the item that the row became, if the file has no keys of its own
  item_id bigint,
  problem text,
  refused boolean not null default false,
  primary key (import_id, n),
  foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
);
create index import_rows_key on import_rows (import_id, key);
create unique index import_rows_place on import_rows (import_id, place) where place is not null;

-- Items that an import created: key and link in the source, and the values that it wrote.
create table imported_items (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint primary key,
  source text not null,
  -- null for milestones and releases that issues only name, and for rows of files without keys
  key text check (length(key) between 1 and 200),
  url text check (length(url) <= 2000),
  -- the run that created the item; null if it came with an account's file
  import_id bigint,
  -- the item's version after that run
  version integer not null default 1,
  -- true once a later run has changed it
  again boolean not null default false,
  -- values by field name as written; texts as their MD5
  written jsonb not null default '{}',
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete set null (import_id)
);
create unique index imported_items_key on imported_items (workspace_id, source, key) where key is not null;
create index imported_items_run on imported_items (import_id, item_id) where import_id is not null;

-- Comments that imports have written. A newer export does not repeat them, even if they were deleted here.
create table imported_comments (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  digest bytea not null check (octet_length(digest) = 16),
  primary key (item_id, digest),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);
create index imported_comments_workspace on imported_comments (workspace_id);

-- A text search finds an item by its key in the source, too.
create function key_words(item bigint) returns text stable language sql as $$
  select coalesce((select E'\n' || lower(k.key) from imported_items k where k.item_id = item), '')
$$;

create or replace function search_words(item items) returns text stable language sql as $$
  select lower(item.title || E'\n' || item.description || coalesce(E'\n' || item.acceptance, '') || coalesce(E'\n' || item.blocked_reason, ''))
    || key_words(item.id)
$$;

create or replace function add_item_texts() returns trigger language plpgsql as $$
begin
  insert into item_texts (account_id, workspace_id, item_id, words)
  select made.account_id, made.workspace_id, made.id,
    lower(made.title || E'\n' || made.description || coalesce(E'\n' || made.acceptance, '') || coalesce(E'\n' || made.blocked_reason, ''))
      || key_words(made.id)
  from made;
  return null;
end $$;

-- An import writes item and key in one statement: then add_item_texts has done it already.
create function change_key_text() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.item_id, old.item_id);
begin
  update item_texts t set words = search_words(i) from items i
  where i.id = changed and t.workspace_id = i.workspace_id and t.item_id = i.id and t.words <> search_words(i);
  return null;
end $$;
create trigger change_key_text after insert or delete or update of key on imported_items for each row execute function change_key_text();
