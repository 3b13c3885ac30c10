-- Personal notes: private to their owner, whatever the workspaces allow (behaviour §11.1).

create table note_folders (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  unique (user_id, name),
  -- a note's folder has the same owner
  unique (account_id, user_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);

create table personal_notes (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  -- null: unfiled, 0 to callers
  folder_id bigint,
  -- as sent, validated before (src/personal-notes/html/html.ts); for an encrypted note whatever its owner's client stored
  html text not null check (octet_length(html) <= 131072),
  -- derived from the html: the first line, and all lines for searching
  title text not null check (length(title) <= 200),
  text text not null,
  -- locked and encrypted notes are visible only to their owner's own client
  protection text not null default 'none' check (protection in ('none', 'locked', 'encrypted')),
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, user_id, folder_id) references note_folders (account_id, user_id, id)
);

-- One page of a person's notes, of all folders or of one.
create index personal_notes_page on personal_notes (user_id, id) where protection = 'none';
create index personal_notes_folder on personal_notes (user_id, folder_id, id) where protection = 'none';

create table note_attachments (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  note_id bigint not null,
  name text not null check (length(name) between 1 and 200),
  content bytea not null,
  created_at timestamptz not null default now(),
  -- attachments are deleted with their note
  foreign key (account_id, note_id) references personal_notes (account_id, id) on delete cascade
);

create index note_attachments_note on note_attachments (account_id, note_id, id);
