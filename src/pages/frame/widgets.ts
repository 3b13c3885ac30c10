import type { ItemType } from '../../access/rights.ts';
import type { Config } from '../../config.ts';
import type { SignedIn } from '../../overviews/signedIn.ts';
import { isId } from '../../values/text.ts';
import type { Clock } from './clock.ts';
import { type Content, type Html, html } from './html.ts';
import type { FormContext } from './postForm.ts';

export function option(value: string, label: string, chosen: string | null | undefined): Html {
  return value === chosen ? html`<option value="${value}" selected>${label}</option>` : html`<option value="${value}">${label}</option>`;
}

export function checkbox(name: string, value: string, label: string, checked: boolean, mark?: Content): Html {
  return html`<label><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}${mark}> ${label}</label>`;
}

export const problemBox = (problem: string | undefined): Content => problem && html`<p class="error" role="alert">${problem}</p>`;

/** Choices for expiry (behaviour §12.19). */
export const expiries = { '30': 'in 30 days', '90': 'in 90 days', '365': 'in a year', never: 'never' } as const;

/** The instant of the chosen expiry; null for never. `now` in ms. */
export function expiryOf(choice: string, now: number): string | null {
  const days = Number(choice);
  return Number.isInteger(days) && days > 0 && days <= 3650 ? new Date(now + days * 86_400_000).toISOString() : null;
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** A field `timezone`. The stored zone may be an old name that the list lacks. `ofBrowser`: a script selects the browser's zone. */
export function zoneSelect(chosen: string, ofBrowser = false, mark?: Content): Html {
  const offered = zones.includes(chosen) ? zones : [chosen, ...zones];
  return html`<select name="timezone" data-pick${ofBrowser && html` data-own-zone`}${mark}>${offered.map((zone) => option(zone, zone, chosen))}</select>`;
}

/** Instead of the title of recorded or planned work. */
export const hiddenWork = 'An item you can no longer see';

/** An id from a URL; null for anything else. */
export const idIn = (text: string | null): number | null => (/^[1-9]\d*$/.test(text ?? '') && isId(Number(text)) ? Number(text) : null);

/** Text from a URL that can be searched for. */
export const searchIn = (text: string | null, most = 300): string =>
  (text ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, most).trim();

/** A sentence whose title in “quotation marks” keeps its own direction. */
export function quoted(sentence: string): Content {
  const [from, to] = [sentence.indexOf('“') + 1, sentence.lastIndexOf('”')];
  if (from === 0 || to < from) return sentence;
  return [sentence.slice(0, from), html`<bdi>${sentence.slice(from, to)}</bdi>`, sentence.slice(to)];
}

/** A count as "5" or "1,000"; above `most` as "99+" or "1,000+". */
export const counted = (found: number, most: number): string =>
  found > most ? `${most.toLocaleString('en')}+` : found.toLocaleString('en');

/** A count with its noun, as "1 task" or "1,000 tasks". */
export const quantity = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

/** The size of a file, as "12 KiB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return quantity(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export interface Frame extends FormContext {
  user: SignedIn | null;
  /** The result of the last form (toast.ts). */
  toast: Content;
  /** Path below the context path, and the query with "?", both without notice parameters. */
  path: string;
  search: string;
  clock: Clock;
  outboundHeld: boolean;
  /** Sealed position in the change feed; null if the page does not update live. */
  place: string | null;
  /** Names the session without revealing it: changes that wait in a browser belong to one session (outbox.ts). */
  sessionTag?: string;
  /** The page is the direct answer to a POST. */
  posted?: boolean;
  itemType?: ItemType | undefined;
}

export const isOutboundHeld = ({ outboundOff }: Config, user: SignedIn | null): boolean =>
  outboundOff || user?.frame?.outboundHeld === true;
