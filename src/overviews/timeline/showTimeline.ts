/** Requirements, releases and milestones of a workspace on a timeline (behaviour §26). */
import type { Read } from '../../operations/operation.ts';
import { Forbidden } from '../../values/errors.ts';
import { readTimeline } from './queries.ts';
import { ShowTimeline, type Timeline } from './schema.ts';

export { MOST_BARS, MOST_UNDATED, mostTasks } from './queries.ts';
export { plannedTypes, ShowTimeline, type Timeline, type TimelineHoliday, type TimelineRow } from './schema.ts';

export const showTimeline: Read<ShowTimeline, Timeline> = {
  name: 'showTimeline',
  input: ShowTimeline,
  async run(tx, caller, wanted) {
    const { membership, ...found } = await readTimeline(tx, caller, wanted);
    if (!membership) throw new Forbidden();
    return { ...found, membership };
  },
};
