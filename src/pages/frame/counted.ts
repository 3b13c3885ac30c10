/** A count as "5" or "1,000"; above `most` as "99+" or "1,000+". */
export const counted = (found: number, most: number): string =>
  found > most ? `${most.toLocaleString('en')}+` : found.toLocaleString('en');
