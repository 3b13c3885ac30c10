-- Two accounts may have a person with the same address: an account can't find out if another one has it (behaviour §3.2). From here on, web
-- processes of the previous version answer 503 to adding people, and only to that, until they are replaced.
drop index users_email;
