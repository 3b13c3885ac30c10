/** A count as "5" or "1,000"; above `most` as "99+" or "1,000+". */
export const counted = (found: number, most: number): string =>
  found > most ? `${most.toLocaleString('en')}+` : found.toLocaleString('en');

/** A count with its noun, as "1 task" or "1,000 tasks". */
export const quantity = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
