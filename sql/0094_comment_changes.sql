-- Comments can be edited and deleted by their author, and users react to them (behaviour §8.11–8.13).
-- Older code cannot read the new kinds of changes.
-- oldest code: 0094

alter table comments add column edited_at timestamptz;

-- The text before an edit or a deletion is in change_texts as `body`.
alter table changes
  drop constraint changes_kind_check,
  add constraint changes_kind_check check (kind in ('item.created', 'item.updated', 'item.archived', 'item.restored', 'item.moved',
    'comment.created', 'comment.updated', 'comment.deleted', 'approval.requested', 'approval.approved', 'approval.rejected',
    'approval.withdrawn')) not valid;
alter table change_texts
  drop constraint change_texts_name_check,
  add constraint change_texts_name_check check (name in ('description', 'acceptance', 'body')) not valid;

create table comment_reactions (
  account_id bigint not null,
  comment_id bigint not null references comments on delete cascade,
  user_id bigint not null,
  reaction text not null check (reaction in ('agree', 'thanks', 'well_done', 'looking', 'done', 'question')),
  created_at timestamptz not null default now(),
  primary key (comment_id, user_id, reaction),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index comment_reactions_person on comment_reactions (account_id, user_id);
