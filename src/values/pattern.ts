/** A LIKE pattern that matches any text containing this literal text. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
