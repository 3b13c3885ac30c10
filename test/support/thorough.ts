/** How often tests repeat what is random. `THOROUGH=1 npm test` repeats it as often as each test says, for which there is no time on every
 *  change; without it, a fifth of that. */
export const isThorough = process.env.THOROUGH === '1';

export const runs = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 5));
