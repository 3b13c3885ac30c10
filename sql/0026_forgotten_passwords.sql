-- A link that a person requested on the sign-in page: it has no creator and is valid for an hour (behaviour §12.23).
alter table invitations add column forgotten boolean not null default false;
