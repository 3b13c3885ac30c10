-- The state of the mail with a link (behaviour §12.32). Null: the link is not mailed, or is older than this column.

alter table invitations
  add column mail_state text,
  add column mail_failures integer not null default 0,
  add column mail_error text,
  add constraint invitations_mail_state_check check (mail_state in ('waiting', 'sending', 'sent', 'unknown')) not valid;

alter table email_changes
  add column mail_state text,
  add column mail_failures integer not null default 0,
  add column mail_error text,
  add constraint email_changes_mail_state_check check (mail_state in ('waiting', 'sending', 'sent', 'unknown')) not valid;
