/** The forecast of a scope's rows. Pure. */
import { ForecastBuilder } from '../forecast/builder.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import { milestoneAbove } from '../forecast/projects.ts';
import type { Load } from '../forecast/weeks.ts';
import type { ScopeRows } from './scopeRows.ts';

export function computeScope(rows: ScopeRows, load?: Load): ComputedForecast {
  const builder = new ForecastBuilder(rows, load);
  builder.addContainers(rows.containers);
  builder.addDependencies(rows.dependencies);
  const milestones = new Set(rows.containers.filter(({ type }) => type === 'milestone').map(({ id }) => id));
  builder.addTasks(rows.tasks.map((task) => ({ ...task, milestoneId: milestoneAbove(task.parentItemId, milestones) })));
  builder.addRecorded(rows.recorded);
  builder.addPlanned(rows.planned);
  return builder.finish();
}
