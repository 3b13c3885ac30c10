/** "5", "1,000"; of more than are counted "99+", "1,000+". */
export const counted = (found: number, most: number): string =>
  found > most ? `${most.toLocaleString('en')}+` : found.toLocaleString('en');
