-- A link that a person asked for on the sign-in page: nobody made it for them, and it works for an hour (behaviour §12.23).
alter table invitations add column forgotten boolean not null default false;
