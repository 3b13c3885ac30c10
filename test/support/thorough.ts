/** The number of random cases of a test. `THOROUGH=1 npm test` runs all of them. Otherwise a fifth, because every change runs the tests. */
export const isThorough = process.env.THOROUGH === '1';

export const runs = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 5));
