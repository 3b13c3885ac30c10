/** All that /my is made from, by the operations that agents and jobs use, too. */
import { bits, holds } from '../../access/rights.ts';
import { findWorkOfAnyType } from '../../items/findWork/findWork.ts';
import { getItem } from '../../items/getItem.ts';
import { type MyTime, myTime } from '../../plans/myTime.ts';
import { todayIn } from '../../values/dates.ts';
import { listRights } from '../../workspaces/listRights.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';

/** Work that time can be recorded on. */
export interface Choice {
  id: number;
  title: string;
  workspaceId: number;
}

/** All that the parts of the page are made from. */
export interface MyData {
  time: MyTime;
  choices: Choice[];
  /** The reader's rights by workspace. */
  rights: ReadonlyMap<number, number>;
  /** The item that the page was asked to start from. */
  chosen: number | null;
  /** Words that work was looked up by. */
  find: string;
  /** A Monday. */
  week: string;
  /** UTC, for what forms begin with. */
  today: string;
}

export async function loadMyData(request: PageRequest): Promise<MyData> {
  const { query, form } = request;
  // After a refused form the week is the form's.
  const date = form.text('week') || query.get('week') || undefined;
  const time = await call(request, myTime, { period: 'week', date });
  const find = (query.get('find') ?? '').trim().slice(0, 300);
  const asked = await askedItem(request);
  const rights = await call(request, listRights, {});
  return {
    time,
    rights: new Map(rights.map(({ workspace_id, rights }) => [workspace_id, rights])),
    choices: distinct([...(asked ? [asked] : []), ...(await workToChoose(request, find)), ...recent(time)]),
    chosen: asked?.id ?? null,
    find,
    week: time.range.from,
    today: todayIn('UTC', Date.now()),
  };
}

/** The caller's open work, or what their words find. */
async function workToChoose(request: PageRequest, find: string): Promise<Choice[]> {
  const wanted = find ? { assignee: 'all', search: find } : { assignee: 'me' };
  return (await call(request, findWorkOfAnyType, { ...wanted, limit: 100 })).items;
}

/** The item in ?workspaceId=&itemId=, for links from its page. */
async function askedItem(request: PageRequest): Promise<Choice | null> {
  const [workspaceId, id] = [Number(request.query.get('workspaceId')), Number(request.query.get('itemId'))];
  if (!workspaceId || !id) return null;
  const { title } = await call(request, getItem, { workspaceId, id });
  return { id, title, workspaceId };
}

function recent({ entries, planBlocks, timer }: MyTime): Choice[] {
  const items = [...entries, ...(timer ? [timer] : [])].map(
    ({ itemId, itemTitle, workspaceId }) => [itemId, itemTitle, workspaceId] as const,
  );
  const blocks = planBlocks.map(({ itemId, title, workspaceId }) => [itemId, title, workspaceId] as const);
  return [...items, ...blocks].flatMap(([id, title, workspaceId]) => (id && title && workspaceId ? [{ id, title, workspaceId }] : []));
}

const distinct = (choices: Choice[]): Choice[] => [...new Map(choices.map((choice) => [choice.id, choice])).values()];

export type Recorded = 'time' | 'plans';

export const mayIn = ({ rights }: MyData, what: Recorded, workspaceId: number) => holds(rights.get(workspaceId) ?? 0, bits(what, 'write'));

/** Whether the reader may record time, or plan it, in any workspace. */
export const mayAnywhere = (data: MyData, what: Recorded): boolean => [...data.rights.keys()].some((id) => mayIn(data, what, id));
