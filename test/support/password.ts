/** Of the people in a test's import file. Here by itself: whoever signs in over plain HTTP must not load a browser's library for it. */
export const PASSWORD = 'correct horse battery';

/** Its hash, with the cost of a real one. Choosing it anew for every file would start the thread that judges passwords each time, and hash
 *  it once for each person. */
export const PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$c8CZFl89PBwKJ1Zkq5k/LQ$C1ZnBjrgT1QvUhL9JSV71SlVyvMPHUSiYAi89QIumy4';
