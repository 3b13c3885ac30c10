-- Notes waiting to be rewritten (behaviour §8.5). One per request of a connection. A row has the text only while a request waits: it is
-- deleted with the note's insertion, on failure, and at the latest by the pruning job.

create table note_rewrites (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  connection_id bigint not null,
  request_id uuid not null,
  body text not null,
  -- waiting: the model was not called; asked: it was called, once; done and failed: the result is stored
  state text not null default 'waiting' check (state in ('waiting', 'asked', 'done', 'failed')),
  rewritten text,
  fault text,
  -- after it no request waits, and nothing can be saved
  deadline_at timestamptz not null,
  unique (connection_id, request_id),
  check ((state = 'done') = (rewritten is not null)),
  foreign key (account_id, connection_id) references connections (account_id, id)
);

create index note_rewrites_deadline on note_rewrites (deadline_at);
