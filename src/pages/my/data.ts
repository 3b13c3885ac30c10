import { bits, holds } from '../../access/rights.ts';
import { type MyWeek, myWeek } from '../../overviews/myWeek.ts';
import { addDays, isDate, mondayOf } from '../../values/dates.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import type { Forms } from '../frame/fields.ts';
import type { PageRequest } from '../frame/page.ts';

export interface MyData extends MyWeek {
  clock: Clock;
}

/** A day of the requested week; also accepts `2026-W47`. After a refused form, the week of the form. */
export function requestedWeek({ query, form }: Pick<PageRequest, 'query' | 'form'>, { today }: Pick<Clock, 'today'>): string {
  const asked = form.text('week') || query.get('week') || today;
  const date = mondayOfIso(asked) ?? asked;
  return isDate(date) && date > '0002' && date < '9998' ? date : today;
}

/** ISO 8601: the first week contains 4 January. */
function mondayOfIso(text: string): string | null {
  const [, year, week] = /^(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/.exec(text) ?? [];
  return year && year > '0002' && year < '9998' ? addDays(mondayOf(`${year}-01-04`), (Number(week) - 1) * 7) : null;
}

export async function loadMyData(request: PageRequest): Promise<MyData> {
  const { query } = request;
  const clock = clockOf(request);
  const date = requestedWeek(request, clock);
  const itemId = Number(query.get('itemId'));
  const week = await call(request, myWeek, { date, zone: clock.zone, itemId: Number.isSafeInteger(itemId) && itemId > 0 ? itemId : null });
  return { ...week, clock };
}

export interface MyContext {
  request: PageRequest;
  data: MyData;
  forms: Forms;
}

export type Recorded = 'time' | 'plans';

export const mayIn = ({ rights }: Pick<MyData, 'rights'>, what: Recorded, workspaceId: number): boolean =>
  holds(rights.get(workspaceId) ?? 0, bits(what, 'write'));

export const mayAnywhere = (data: Pick<MyData, 'rights'>, what: Recorded): boolean =>
  [...data.rights.keys()].some((id) => mayIn(data, what, id));
