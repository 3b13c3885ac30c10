/** Timer buttons of My day: start, stop and switch (behaviour §20.8). */
import { switchTimer } from '../../time/timer.ts';
import { trackTime } from '../../time/trackTime.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { orAgain } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { showDay } from './day.ts';
import { ACT } from './dayRows.ts';

/** Runs the action of the pressed button. */
async function carryOut(request: PageRequest): Promise<Pick<Redirect, 'notice' | 'undo'>> {
  const { form } = request;
  const timer = { entryId: form.id('entryId'), revision: form.id('revision') };
  if (form.has('stop')) {
    const { entry } = await call(request, trackTime, { action: 'stop', ...timer });
    return { notice: 'stopped', undo: undoOf.stopped(entry) };
  }
  const itemId = form.id('start');
  if (!form.has('entryId')) {
    await call(request, trackTime, { action: 'start', itemId });
    return { notice: 'started' };
  }
  await call(request, switchTimer, { itemId, ...timer });
  return { notice: 'switched' };
}

const act = (request: PageRequest): Promise<Answer> =>
  orAgain(
    async () => {
      const told = await carryOut(request);
      const day = request.form.text('day');
      return { redirect: /^\d{4}-\d{2}-\d{2}$/.test(day) ? `/?day=${day}` : '/', ...told };
    },
    { again: ({ problem, status }) => showDay(request, { problem, status }) },
  );

export const dayRoutes: PageRoute[] = [
  { method: 'GET', path: '/', handle: (request) => showDay(request) },
  { method: 'POST', path: ACT, handle: act },
];
