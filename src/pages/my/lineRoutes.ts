/** /my/line: shows the interpretation of a line, and saves it (behaviour §20.7, §20.9). */
import { planBlock } from '../../plans/planBlock.ts';
import { logStretch } from '../../time/logStretch.ts';
import { trackTime } from '../../time/trackTime.ts';
import { localToInstant } from '../../values/dates.ts';
import { call } from '../frame/call.ts';
import { clockOf } from '../frame/clock.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { orAgain } from '../frame/submitted.ts';
import { landing, type SavedTime } from './landing.ts';
import { type Meaning, understand } from './line.ts';
import { LINE, lineForm } from './lineForm.ts';
import { labels } from './widgets.ts';

interface Again {
  refused?: string;
  status?: number;
}

function page(request: PageRequest, meaning: Meaning, { refused, status = 200 }: Again = {}): Answer {
  const chosen = request.form.id('itemId') || undefined;
  return { title: 'Log or plan time', status, body: lineForm(request, { meaning, clock: clockOf(request), refused, chosen }) };
}

const show = async (request: PageRequest): Promise<Answer> => page(request, await understand(request, request.query.get('text') ?? ''));

async function save(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const meaning = await understand(request, form.text('text'));
  if (!meaning.key)
    return page(request, meaning, {
      refused: meaning.problem ?? 'Type a length of time and an item, such as “45m on” and words of its title.',
      status: 400,
    });
  if (form.text('understood') !== meaning.key || meaning.problem) return page(request, meaning);
  const itemId = meaning.work?.id ?? form.id('itemId');
  if (!itemId) return page(request, meaning, { refused: 'Choose an item.', status: 400 });
  return orAgain(async () => landing(await carryOut(request, meaning, itemId)), {
    labels: { ...labels, date: '', minutes: '', startedAt: '', endedAt: '', startLocal: '', endLocal: '' },
    again: ({ problem, status }) => page(request, meaning, { refused: problem, status }),
  });
}

async function carryOut(request: PageRequest, { line, note, counts }: Meaning, itemId: number): Promise<SavedTime> {
  if (line!.kind === 'duration')
    return call(request, trackTime, { action: 'log', itemId, date: counts!.date, minutes: line!.minutes, note });
  const { startLocal, endLocal, past } = line!;
  const { zone: timezone } = clockOf(request);
  if (!past) return call(request, planBlock, { action: 'create', itemId, startLocal, endLocal, timezone, note });
  const [startedAt, endedAt] = [localToInstant(startLocal, timezone), localToInstant(endLocal, timezone)];
  return call(request, logStretch, { itemId, startedAt, endedAt, note });
}

export const lineRoutes: PageRoute[] = [
  { method: 'GET', path: LINE, handle: show },
  { method: 'POST', path: LINE, handle: save },
];
