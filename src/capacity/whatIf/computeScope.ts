import { ForecastBuilder } from '../forecast/builder.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import type { Load } from '../forecast/weeks.ts';
import { milestoneAbove } from '../snapshots/computing/buildForecast.ts';
import type { ScopeRows } from './scopeQueries.ts';

export function computeScope(rows: ScopeRows, load?: Load): ComputedForecast {
  const builder = new ForecastBuilder(rows, load);
  builder.addContainers(rows.containers);
  const milestones = new Set(rows.containers.filter(({ type }) => type === 'milestone').map(({ id }) => id));
  builder.addTasks(rows.tasks.map((task) => ({ ...task, milestoneId: milestoneAbove(task.parentItemId, milestones) })));
  builder.addRecorded(rows.recorded);
  builder.addPlanned(rows.planned);
  return builder.finish();
}
