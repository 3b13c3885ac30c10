/** CSV that spreadsheets don't interpret as formulas (OWASP, "CSV injection"). */

/** Text that a spreadsheet would calculate gets a leading apostrophe. */
const formula = /^[\s\p{Cf}]*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/u;

export const csvCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

/** Reverses the apostrophe of `csvCell`. Exports of other services have it, too. */
export const unescapedCell = (cell: string): string => (cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell);

export const csvLine = (values: readonly (string | number | null)[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Recorded time in two cells: whole minutes, which sum exactly, and hours with four decimals. */
export const timeCells = (minutes: number): [number, number] => [minutes, Math.round((minutes / 60) * 10_000) / 10_000];
