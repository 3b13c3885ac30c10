-- The erasure of a person empties them while an import is under way, which needs only the survey.
alter table import_reports alter column report drop not null, alter column preview drop not null;
