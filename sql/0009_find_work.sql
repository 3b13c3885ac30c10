-- Indexes for svc_find_work (behaviour §7.22). Visible rows have few values of `needs` (at most eight for a type), so every index begins
-- with workspace and needs: each pair is one short stream in id order, and hidden rows are never read.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table items
  add column closed boolean not null generated always as (status in ('done', 'cancelled')) stored,
  -- used by due windows
  add column due date generated always as (coalesce(due_date, target_date)) stored;

-- open, closed or all work
create index items_work on items (workspace_id, needs, closed, id) where shown;
-- the same for a whole workspace: where several filters match many rows, a few steps find a page of them
create index items_walk on items (workspace_id, closed, id) where shown;
-- of one assignee, or unassigned
create index items_work_assignee on items (workspace_id, needs, closed, assignee_id, id) where shown;
-- in one status of the workspace; a canonical status is the few keys that map to it
create index items_work_status on items (workspace_id, needs, status_key, id) where shown;
create index items_work_priority on items (workspace_id, needs, closed, priority_key, id) where shown;
-- a few days are a stream each; of a longer range all rows are read if they are few
create index items_work_due on items (workspace_id, needs, closed, due, id) where shown and due is not null;

-- Below one requirement or release; these serve the look-ups from above (sql/0004_items.sql) as well.
drop index items_requirement, items_release;
create index items_requirement on items (requirement_id, needs, closed, id) where requirement_id is not null;
create index items_release on items (release_id, needs, closed, id) where release_id is not null;

-- The searched texts, in lower case. A separate table, so that a change of status or assignee does not touch the text index.
create table item_texts (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  words text not null,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references items (workspace_id, id) on delete cascade
);

-- Trigrams: any part of a text of three characters or more. Shorter parts are searched by reading the workspace's texts in id order. Every
-- search reads the list of pending entries, so it is kept short.
create index item_texts_words on item_texts using gin (workspace_id, words gin_trgm_ops) with (gin_pending_list_limit = 128);

create function add_item_texts() returns trigger language plpgsql as $$
begin
  insert into item_texts (account_id, workspace_id, item_id, words)
  select account_id, workspace_id, id, lower(title || E'\n' || description) from made;
  return null;
end $$;

create trigger add_item_texts after insert on items referencing new table as made for each statement execute function add_item_texts();

create function change_item_text() returns trigger language plpgsql as $$
begin
  update item_texts set words = lower(new.title || E'\n' || new.description) where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;

create trigger change_item_text after update of title, description on items for each row
  when (old.title <> new.title or old.description <> new.description)
  execute function change_item_text();

insert into item_texts (account_id, workspace_id, item_id, words)
select account_id, workspace_id, id, lower(title || E'\n' || description) from items;
