/** CSV that spreadsheets open without taking a text for a formula (OWASP, "CSV injection"). */

/** A text that a spreadsheet would calculate is told to be one by an apostrophe. */
const formula = /^[\s\p{Cf}]*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/u;

export const csvCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

export const csvLine = (values: readonly (string | number | null)[]): string => `${values.map(csvCell).join(',')}\r\n`;
