/** Data that pickers load while they are open: hints for people, items by their title or number, and whether work fits (behaviour §40). */
import { itemTypes } from '../../access/rights.ts';
import { findTargets } from '../../items/findWork/findTargets.ts';
import type { LinkChoice } from '../../overviews/openItem.ts';
import { addDays, isDate, mondayOf } from '../../values/dates.ts';
import { clockOf } from '../frame/clock.ts';
import { dayWords, estimate, shortDay, within } from '../frame/components/when.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { searchIn } from '../frame/widgets.ts';
import { typeLabel } from './fields.ts';
import { linkWords } from './linkNames.ts';

/** Words shown next to a name, and whether it is a service, by user id. */
async function candidateNotes(request: PageRequest, workspaceId: number): Promise<Map<number, { note: string; service: boolean }>> {
  const candidates = await call(request, request.deps.freeTime.listCandidates, { workspaceId });
  return new Map(
    candidates.map(({ id, kind, awayUntil, freeHours }) => {
      const away = awayUntil && `Away until ${shortDay(awayUntil, clockOf(request))}`;
      const free = freeHours !== null && `${estimate(freeHours)} free this week`;
      return [id, { note: kind === 'service' ? 'Agent' : away || free || '', service: kind === 'service' }];
    }),
  );
}

async function showCandidates(request: PageRequest): Promise<Answer> {
  return { data: Object.fromEntries(await candidateNotes(request, Number(request.params.id))) };
}

/** Finds open items of some types by words of their texts or by number. Matches in the title come first. */
async function find(request: PageRequest): Promise<Answer> {
  const { params, query } = request;
  const workspaceId = Number(params.id);
  const search = searchIn(query.get('q'));
  const asked = (query.get('types') ?? '').split(',');
  const types = itemTypes.filter((type) => asked.includes(type));
  const found = await call(request, findTargets, { workspaceId, types, search });
  const words = search.toLowerCase().split(/\s+/u);
  const titled = ({ title }: LinkChoice) => Number(words.every((word) => title.toLowerCase().includes(word)));
  const items = found.toSorted((one, other) => titled(other) - titled(one));
  return { data: items.map((item) => ({ value: linkWords(item), label: item.title, note: `${typeLabel(item.type)} ${item.id}` })) };
}

/** One sentence for an assignee and, if given, a due date and hours; empty without an answer. */
async function showFit(request: PageRequest): Promise<Answer> {
  const { params, query } = request;
  const clock = clockOf(request);
  const due = query.get('due') ?? '';
  const personId = Number(query.get('assignee'));
  const hours = Number(query.get('hours')?.replace(',', '.') || Number.NaN);
  const until = due === '' ? addDays(mondayOf(clock.today), 6) : due;
  if (!isDate(until) || !Number.isSafeInteger(personId) || personId <= 0) return { data: {} };
  const free = await call(request, request.deps.freeTime.readFreeUntil, { workspaceId: Number(params.id), personId, until });
  if (!free) return { data: {} };
  const words = `${free.name} has ${estimate(free.hours)} free ${due === '' ? 'this week' : `until ${within(dayWords(until, clock))}`}.`;
  if (due === '' || !(hours > 0)) return { data: { text: words } };
  const fits = hours <= free.hours;
  return { data: { fits, text: fits ? `Fits: ${words}` : `Does not fit: ${words}` } };
}

export const pickRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/candidates', handle: showCandidates },
  { method: 'GET', path: '/workspaces/:id/find', handle: find },
  { method: 'GET', path: '/workspaces/:id/fit', handle: showFit },
];
