/** Password of the people in a test's import file. A separate file: signing in over HTTP must not load the browser library. */
export const PASSWORD = 'correct horse battery';

/** Its hash, at a fraction of the real cost: nearly every test signs in. */
export const PASSWORD_HASH = '$argon2id$v=19$m=64,t=1,p=1$PdKHKIi5xYyzDhAOjj6L6Q$+zaCi0NCxVtJdOGlOohLqo17y+tXWfFy8J83TXgzO80';
