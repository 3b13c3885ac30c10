/** `npm run test:long` sets THOROUGH=1: all random cases of a test, on more data. `npm test` runs a twentieth. */
export const isThorough = process.env.THOROUGH === '1';

/** Items of a workspace whose reads must cost as much as those of one with 1,000. */
export const MANY = isThorough ? 200_000 : 20_000;

export const runs = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 20));
