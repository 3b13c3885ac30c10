/** Password of the people in a test's import file. A separate file: signing in over HTTP must not load the browser library. */
export const PASSWORD = 'correct horse battery';

/** Its hash, at the real cost. Hashing it in every file would start the password thread each time. */
export const PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$c8CZFl89PBwKJ1Zkq5k/LQ$C1ZnBjrgT1QvUhL9JSV71SlVyvMPHUSiYAi89QIumy4';
