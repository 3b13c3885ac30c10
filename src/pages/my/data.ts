/** All that /my is made from, read in one statement. */
import { bits, holds } from '../../access/rights.ts';
import { type MyWeek, myWeek } from '../../overviews/myWeek.ts';
import { isDate } from '../../values/dates.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import type { Forms } from '../frame/fields.ts';
import type { PageRequest } from '../frame/page.ts';

/** All that the parts of the page are made from. */
export interface MyData extends MyWeek {
  clock: Clock;
}

export async function loadMyData(request: PageRequest): Promise<MyData> {
  const { query, form } = request;
  const clock = clockOf(request);
  // After a refused form the week is the form's.
  const asked = form.text('week') || query.get('week') || clock.today;
  const date = isDate(asked) && asked > '0002' && asked < '9998' ? asked : clock.today;
  const itemId = Number(query.get('itemId'));
  const week = await call(request, myWeek, { date, zone: clock.zone, itemId: Number.isSafeInteger(itemId) && itemId > 0 ? itemId : null });
  return { ...week, clock };
}

/** What the parts of the page are made with. */
export interface Shown {
  request: PageRequest;
  data: MyData;
  forms: Forms;
}

export type Recorded = 'time' | 'plans';

export const mayIn = ({ rights }: Pick<MyData, 'rights'>, what: Recorded, workspaceId: number): boolean =>
  holds(rights.get(workspaceId) ?? 0, bits(what, 'write'));

/** Whether the reader may record time, or plan it, in any workspace. */
export const mayAnywhere = (data: Pick<MyData, 'rights'>, what: Recorded): boolean =>
  [...data.rights.keys()].some((id) => mayIn(data, what, id));
