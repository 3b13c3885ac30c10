-- An export whose worker died five times is set aside (behaviour §13.20). 1.2.0 reads no reason.
alter table data_exports drop constraint data_exports_reason_check;
alter table data_exports add constraint data_exports_reason_check check (reason in ('access', 'room', 'stopped')) not valid;
