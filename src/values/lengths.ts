/** Lengths of time as text, the same on pages and in browser scripts (behaviour §18.2). Pure. */

const two = (number: number): string => String(number).padStart(2, '0');

/** "45 min", "2 h", "1 h 30 min", "1,240 h". */
export function hours(minutes: number): string {
  const whole = Math.round(Math.abs(minutes));
  const [full, rest] = [Math.floor(whole / 60), whole % 60];
  const sign = minutes < 0 && whole > 0 ? '−' : '';
  // Shortcut: number formatting would take half of the time of a cell.
  const parts = [full > 0 && `${full < 1_000 ? full : full.toLocaleString('en')} h`, (rest > 0 || full === 0) && `${rest} min`];
  return `${sign}${parts.filter((part) => part !== false).join(' ')}`;
}

/** As hours(), for a length in hours. */
export const estimate = (inHours: number): string => hours(inHours * 60);

/** For cells of a grid: "1:30"; nothing for 0. */
export function figure(minutes: number): string {
  const whole = Math.round(minutes);
  return whole > 0 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : '';
}

/** Hours, minutes and seconds: "0:57:12". */
export function running(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
