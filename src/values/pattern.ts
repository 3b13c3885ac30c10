/** A pattern for LIKE: whatever holds this text, which is taken literally. */
export const holding = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
