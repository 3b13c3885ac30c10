-- The redirect of a form that counts once, repeated when the form is sent again. Null while it is unknown, empty if the answer was a page
-- itself, such as a key that is shown once.

alter table sent_forms add column way text;
