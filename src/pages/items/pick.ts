/** Data that pickers load while they are open: hints for people, items by their title or number, and whether work fits (behaviour §40). */
import { itemTypes } from '../../access/rights.ts';
import { usualUntil } from '../../capacity/snapshots/freeTime.ts';
import { findTargets } from '../../items/findWork/findTargets.ts';
import type { LinkChoice } from '../../overviews/openItem.ts';
import { isDate, todayIn } from '../../values/dates.ts';
import { freeWords } from '../capacity/words.ts';
import { clockOf } from '../frame/clock.ts';
import { shortDay } from '../frame/components/when.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { searchIn } from '../frame/widgets.ts';
import { typeLabel } from './fields.ts';
import { linkWords } from './linkNames.ts';

/** Words shown next to a name, and whether it is a service, by user id. */
async function candidateNotes(request: PageRequest, workspaceId: number): Promise<Map<number, { note: string; service: boolean }>> {
  const clock = clockOf(request);
  const until = usualUntil(todayIn('UTC', clock.now));
  const candidates = await call(request, request.deps.listFree, { workspaceId, spans: [{ until }] });
  return new Map(
    candidates.map(({ id, kind, awayUntil, freeHours: [hours] }) => {
      const away = awayUntil && `Away until ${shortDay(awayUntil, clock)}`;
      const free = hours != null && freeWords(hours, until, clock);
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
  const until = due === '' ? usualUntil(todayIn('UTC', clock.now)) : due;
  if (!isDate(until) || !Number.isSafeInteger(personId) || personId <= 0) return { data: {} };
  const people = await call(request, request.deps.listFree, { workspaceId: Number(params.id), spans: [{ until }] });
  const person = people.find(({ id }) => id === personId);
  const free = person?.freeHours[0] ?? null;
  if (!person || free === null) return { data: {} };
  const words = `${person.name} has ${freeWords(free, until, clock)}.`;
  if (due === '' || !(hours > 0)) return { data: { text: words } };
  const fits = hours <= free;
  return { data: { fits, text: fits ? `Fits: ${words}` : `Does not fit: ${words}` } };
}

export const pickRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/candidates', handle: showCandidates },
  { method: 'GET', path: '/workspaces/:id/find', handle: find },
  { method: 'GET', path: '/workspaces/:id/fit', handle: showFit },
];
