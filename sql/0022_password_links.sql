-- A user with a password is notified when a password link is created for them, with its creator, and when it is used.

alter table invitations add column created_by bigint references users;

alter table notifications
  alter column workspace_id drop not null,
  add column invitation_id bigint references invitations,
  drop constraint notifications_kind_check,
  drop constraint notifications_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set')),
  add constraint notifications_subject_check check (
    num_nonnulls(block_id, entry_id, invitation_id) = 1
    and (kind = 'timer_long') = (entry_id is not null)
    and (kind in ('password_link', 'password_set')) = (invitation_id is not null)
    and (workspace_id is null) = (invitation_id is not null));

create unique index notifications_invitation on notifications (invitation_id, kind) where invitation_id is not null;
