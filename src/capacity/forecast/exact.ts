/** Exact decimal sums, rounded once on output (behaviour §6.1): 60 * 1.1 is 66.00000000000001 in floating point. Pure. */

/** The number digits / 10^scale. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

const SMALL_POWERS = Array.from({ length: 16 }, (_, power) => 10n ** BigInt(power));
const tenTo = (power: number): bigint => SMALL_POWERS[power] ?? 10n ** BigInt(power);

/** Exact decimal of a non-negative number as JavaScript prints it: 0.1 is one tenth, not its binary approximation. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * tenTo(-scale), scale: 0 };
}

const UNITS_PER_HOUR = 10_000;
/** Limit that keeps 6 * units * (hundredths of a percent) below 2^53. */
const MOST_UNITS = 1e11;

/** `value` in units of 1/10,000, or -1 if it has more than four decimals or is above MOST_UNITS. */
function unitsOf(value: number): number {
  const units = Math.round(value * UNITS_PER_HOUR);
  return units <= MOST_UNITS && units / UNITS_PER_HOUR === value ? units : -1;
}

/** Whole minutes left of an estimate: by the given progress, without one what was not recorded yet (behaviour §6.8). */
export const remainingMinutes = (hours: number, percent: number | null, recorded: number): number =>
  percent === null ? Math.max(0, minutesLeftAt(hours, 0) - recorded) : minutesLeftAt(hours, percent);

/** ceil(60·e·(100−p)/100) of `hours` at `percent` progress (0–100). */
function minutesLeftAt(hours: number, percent: number): number {
  const units = unitsOf(hours);
  const hundredths = Math.round(percent * 100);
  if (units < 0 || hundredths / 100 !== percent) return slowMinutesLeftAt(decimalOf(hours), decimalOf(percent));
  const product = 6 * units * (10_000 - hundredths);
  const rest = product % 1e7;
  return (product - rest) / 1e7 + (rest > 0 ? 1 : 0);
}

function slowMinutesLeftAt(hours: Decimal, percent: Decimal): number {
  const left = 100n * tenTo(percent.scale) - percent.digits;
  const divisor = 100n * tenTo(hours.scale + percent.scale);
  return Number((60n * hours.digits * left + divisor - 1n) / divisor);
}

/** ceil(1.25 × minutes), for whole minutes. */
export const bufferedMinutes = (minutes: number): number => minutes + Math.ceil(minutes / 4);

/** floor(minutes·part/parts) for whole numbers. Exact even if the product exceeds 2^53. */
export function shareOf(minutes: number, part: number, parts: number): number {
  const product = minutes * part;
  if (product <= Number.MAX_SAFE_INTEGER) return (product - (product % parts)) / parts;
  return Number((BigInt(minutes) * BigInt(part)) / BigInt(parts));
}

export class ExactSum {
  #units = 0;
  #rest: Decimal = { digits: 0n, scale: 4 };

  add(value: number): void {
    const units = unitsOf(value);
    if (units < 0) this.#rest = plus(this.#rest, decimalOf(value));
    else if (this.#units + units <= Number.MAX_SAFE_INTEGER) this.#units += units;
    else {
      this.#rest = plus(this.#rest, { digits: BigInt(this.#units), scale: 4 });
      this.#units = units;
    }
  }

  total(): Decimal {
    return plus(this.#rest, { digits: BigInt(this.#units), scale: 4 });
  }
}

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: a.digits * tenTo(scale - a.scale) + b.digits * tenTo(scale - b.scale), scale };
}

/** numerator/denominator, rounded half up to `decimals`. The denominator must be positive. */
export function rounded(numerator: bigint, denominator: bigint, decimals: number): number {
  const doubled = 2n * numerator * tenTo(decimals) + denominator;
  const divisor = 2n * denominator;
  const quotient = doubled / divisor;
  const floor = doubled < 0n && quotient * divisor !== doubled ? quotient - 1n : quotient;
  return Number(floor) / 10 ** decimals;
}

export const hoursOf = (sum: Decimal): number => rounded(sum.digits, tenTo(sum.scale), 2);

/** Hours with two decimals, from whole minutes. */
export const hoursOfMinutes = (minutes: number): number => Math.round((minutes * 5) / 3) / 100;

/** 100·part/whole with one decimal. Null if whole is 0. */
export const percentOf = (part: number, whole: number): number | null => (whole > 0 ? Math.round((1000 * part) / whole) / 10 : null);

export const bufferedHoursOf = (minutes: Decimal): number => rounded(5n * minutes.digits, 240n * tenTo(minutes.scale), 2);

export const hoursOfMinuteSum = (minutes: Decimal): number => rounded(minutes.digits, 60n * tenTo(minutes.scale), 2);

/** 100·(scope−remaining)/scope with one decimal; scope in hours, remaining in minutes. Null for scope 0. */
export function weightedProgress(scopeHours: Decimal, remaining: Decimal): number | null {
  const scope = 60n * scopeHours.digits * tenTo(remaining.scale);
  if (scope === 0n) return null;
  return rounded(100n * (scope - remaining.digits * tenTo(scopeHours.scale)), scope, 1);
}
