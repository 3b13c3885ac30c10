/** `THOROUGH=1 npm test` runs all random cases of a test, on more data. Otherwise a fifth, because every change runs the tests. */
export const isThorough = process.env.THOROUGH === '1';

/** Items of a workspace whose reads must cost as much as those of one with 1,000. */
export const MANY = isThorough ? 200_000 : 60_000;

export const runs = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 5));
