/** `time`: recorded time by day, person and item (behaviour §28.8). */
import { addDays } from '../values/dates.ts';
import { figure } from '../values/lengths.ts';
import { command, table } from './command.ts';
import { optionalId, sinceDay } from './options.ts';
import { readTimeSince, TIME_PAGE, type TimeFilter } from './timeQueries.ts';

const only = (thing: string) => optionalId(`only of this ${thing}`);

export const list = command({
  summary: 'list recorded time from a UTC day on, by day, person and item',
  options: { since: sinceDay, account: only('account'), user: only('user'), workspace: only('workspace') },
  async run(context, filter: TimeFilter) {
    const db = await context.db();
    const time = await readTimeSince(db.pool(), filter);
    const last = time.at(-1);
    return { time, next: last && time.length >= TIME_PAGE ? addDays(last.date, 1) : null };
  },
  print({ time, next }) {
    const rows = time.map(({ date, person, workspace, itemId, title, minutes }) => ({
      ...{ date, person, time: figure(minutes) || '0:00', workspace },
      work: `#${itemId} ${title}`,
    }));
    const total = time.reduce((all, { minutes }) => all + minutes, 0);
    return [
      table(rows),
      ...(time.length ? [`Total ${figure(total) || '0:00'}`] : []),
      ...(next ? [`More results: --since ${next}`] : []),
    ].join('\n');
  },
});
