/** Of the people in a test's import file. Here by itself: whoever signs in over plain HTTP must not load a browser's library for it. */
export const PASSWORD = 'correct horse battery';
