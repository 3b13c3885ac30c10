/** A LIKE pattern that matches any text containing this literal text. */
export const holding = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
