/** /my/line: reads a line, before and when it is sent (behaviour §20.7, §20.9). */
import { saveLabelledItem } from '../../items/saveItem.ts';
import { savedOf } from '../../items/understandWork.ts';
import { planBlock } from '../../plans/planBlock.ts';
import { logStretch } from '../../time/stretch.ts';
import { trackTime } from '../../time/trackTime.ts';
import { localToInstant } from '../../values/dates.ts';
import { clockOf } from '../frame/clock.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { backTo, orAgain } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { idIn } from '../frame/widgets.ts';
import { formLabels } from '../items/form.ts';
import { type Capture, captured, type Does, type TaskReading, type TimeReading, workspaceForTasks } from './capture.ts';
import { showDay } from './day.ts';
import { labels, type SavedTime, toldOf } from './landing.ts';
import { dayShownIn, LINE, lineForm, type ShownLine } from './line.ts';
import { showMy } from './page.ts';

async function read(request: PageRequest): Promise<ShownLine> {
  const { ctx, form, query, basePath, user } = request;
  const text = (name: string) => (ctx.method === 'POST' ? form.text(name) : (query.get(name) ?? ''));
  const workspaceId = idIn(text('in')) ?? workspaceForTasks(request);
  const back = backTo(text('back'), { basePath }, '/');
  const day = dayShownIn(back, clockOf(request).today);
  const capture = await captured(request, text('text'), { workspaceId, personId: user.id, ...(day && { day }) });
  return { capture, workspaceId, back };
}

const alone = (request: PageRequest, line: ShownLine, status: number): Answer => ({
  title: 'Add a task, or log or plan time',
  status,
  body: lineForm(request, line),
});

/** The page that sent the line, with the question or fault at the line. */
function again(request: PageRequest, line: ShownLine, refused: string, status = 400): Promise<Answer> | Answer {
  const shown = { ...line, refused };
  const [path] = line.back.split('?', 1);
  if (path === '/') return showDay(request, { line: shown, status });
  if (path === '/my') return showMy(request, undefined, { line: shown, status });
  return alone(request, shown, status);
}

async function show(request: PageRequest): Promise<Answer> {
  return alone(request, await read(request), 200);
}

const empty = 'Type a title, or a time and # with the number of an item.';

async function send(request: PageRequest): Promise<Answer> {
  const line = await read(request);
  const { form } = request;
  const { capture } = line;
  const itemId = form.id('itemId') || capture.time?.work?.id;
  const chosen = chosenBy(capture, asked(form.text('as'), form.has('itemId')) ?? capture.does, itemId);
  if ('refused' in chosen) return again(request, line, chosen.refused);
  // A choice was read by the user, too. A line that was sent before its preview came is decided here.
  if (form.text('for') === capture.text && form.text('understood') !== capture.key)
    return again(request, line, 'The meaning of this line has changed. Check it, then send it again.', 409);
  return orAgain(async () => ({ redirect: line.back, ...(await chosen.carryOut(request)) }), {
    labels: { ...formLabels, ...labels, date: '', minutes: '', startedAt: '', endedAt: '', startLocal: '', endLocal: '' },
    again: ({ problem, status }) => again(request, line, problem, status),
  });
}

const asked = (as: string, hasItem: boolean): Does | null => (as === 'task' || as === 'time' ? as : hasItem ? 'time' : null);

/** The new item's page instead of the one that sent the line, if the form asks for it. */
type Carried = Omit<Redirect, 'redirect'> & Partial<Pick<Redirect, 'redirect'>>;

type Chosen = { refused: string } | { carryOut(request: PageRequest): Promise<Carried> };

function chosenBy({ text, task, time, problem }: Capture, does: Does | null, itemId: number | undefined): Chosen {
  if (text === '') return { refused: empty };
  if (does === null) return { refused: problem ?? 'This can mean several things. Choose one.' };
  if (does === 'task') {
    if (!task || task.work.title === '') return { refused: problem ?? empty };
    const refused = task.work.faults.join(' ');
    return refused ? { refused } : { carryOut: (request) => makeTask(request, task) };
  }
  if (!time) return { refused: problem ?? empty };
  if (time.problem !== null) return { refused: time.problem };
  if (itemId) return { carryOut: async (request) => toldOf(await record(request, time, itemId)) };
  return { refused: time.choices.length > 0 ? 'Choose an item.' : 'You have no open items to choose from.' };
}

async function makeTask(request: PageRequest, { workspaceId, work }: TaskReading): Promise<Carried> {
  const { id, version } = await call(request, saveLabelledItem, { workspaceId, ...savedOf(work) });
  const told = { notice: 'created', undo: undoOf.items({ workspaceId, itemId: id, version }) };
  return request.form.has('open') ? { ...told, redirect: `/workspaces/${workspaceId}/items/${id}` } : told;
}

async function record(request: PageRequest, { line, note, counts }: TimeReading, itemId: number): Promise<SavedTime> {
  if (line.kind === 'duration') {
    const date = counts?.date ?? line.date;
    return call(request, trackTime, { action: 'log', itemId, date, minutes: line.minutes, note });
  }
  const { startLocal, endLocal, past } = line;
  const { zone: timezone } = clockOf(request);
  if (!past) return call(request, planBlock, { action: 'create', itemId, startLocal, endLocal, timezone, note });
  const [startedAt, endedAt] = [localToInstant(startLocal, timezone), localToInstant(endLocal, timezone)];
  return call(request, logStretch, { itemId, startedAt, endedAt, note });
}

export const lineRoutes: PageRoute[] = [
  { method: 'GET', path: LINE, handle: show },
  { method: 'POST', path: LINE, handle: send },
];
