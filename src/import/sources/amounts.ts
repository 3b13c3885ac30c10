/** Numbers and durations as other services write them (behaviour §36.8). */

export type Decimals = 'point' | 'comma';

const number = /^[+-]?\d{1,15}(?:[.,' \u00a0\u202f]\d{1,15}){0,6}$/;
const hoursAndMinutes = /^(?:(\d{1,6}(?:[.,]\d{1,4})?) ?(?:h|hr|hrs|hours?|std))? ?(?:(\d{1,6}) ?(?:m|min|mins|minutes?))?$/i;

/** The notation that a number shows: 1.5 and 1,234.5 have a decimal point. Null: both are possible, or it is not a number. */
export function decimalsOf(text: string): Decimals | null {
  const trimmed = text.trim();
  if (!number.test(trimmed)) return null;
  const [point, comma] = [trimmed.lastIndexOf('.'), trimmed.lastIndexOf(',')];
  if (point < 0 && comma < 0) return null;
  if (point >= 0 && comma >= 0) return point > comma ? 'point' : 'comma';
  const at = Math.max(point, comma);
  const [kind, other]: [Decimals, Decimals] = point >= 0 ? ['point', 'comma'] : ['comma', 'point'];
  if (trimmed.indexOf(trimmed.charAt(at)) !== at) return other;
  const grouped = trimmed.length - at === 4 && at <= 3 && !trimmed.startsWith('0');
  return grouped ? null : kind;
}

export function numberOf(text: string, decimals: Decimals): number | null {
  const trimmed = text.trim();
  if (!number.test(trimmed)) return null;
  const [grouping, point] = decimals === 'point' ? [',', '.'] : ['.', ','];
  const plain = trimmed
    .replaceAll(/[' \u00a0\u202f]/g, '')
    .replaceAll(grouping, '')
    .replace(point, '.');
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** Hours of a plain number, or of a duration such as 1h 30m. */
export function hoursOf(text: string, decimals: Decimals): number | null {
  const plain = numberOf(text, decimals);
  if (plain !== null) return plain;
  const [, hours, minutes] = hoursAndMinutes.exec(text.trim()) ?? [];
  if (hours === undefined && minutes === undefined) return null;
  return Number((hours ?? '0').replace(',', '.')) + Number(minutes ?? 0) / 60;
}
