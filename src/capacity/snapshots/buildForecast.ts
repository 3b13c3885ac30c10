/** Feeds the rows of a scope to the forecast, batch by batch, giving way to other work in between. */
import { ForecastBuilder } from '../forecast/builder.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import type { TaskRow } from '../forecast/rows.ts';
import type { Pause } from '../forecast/slices.ts';
import type { ScopeSource, TaskBatch } from './source.ts';

/** The first pass. The second is `forecastJson(computed, source.work)` in the same transaction. */
export async function buildForecast(source: ScopeSource, pause: Pause): Promise<ComputedForecast> {
  const builder = new ForecastBuilder(await source.input());
  const milestones = new Set<number>();
  for await (const rows of source.containers()) {
    builder.addContainers(rows);
    for (const { id, type } of rows) if (type === 'milestone') milestones.add(id);
  }
  for await (const batch of source.tasks()) {
    builder.addTasks(rowsOf(batch, milestones));
    await pause();
  }
  for await (const rows of source.recorded()) builder.addRecorded(rows);
  for await (const rows of source.planned()) builder.addPlanned(rows);
  for await (const rows of source.trend()) builder.addTrend(rows);
  return await builder.finish(pause);
}

function rowsOf(batch: TaskBatch, milestones: ReadonlySet<number>): TaskRow[] {
  return batch.id.map((id, n) => ({
    id,
    status: batch.status[n]!,
    assigneeId: batch.assigneeId[n]!,
    estimatedHours: batch.estimatedHours[n]!,
    progressPercent: batch.progressPercent[n]!,
    priorityRank: batch.priorityRank[n]!,
    startDay: batch.startDay[n]!,
    dueDay: batch.dueDay[n]!,
    completedDay: batch.completedDay[n]!,
    releaseId: batch.releaseId[n]!,
    requirementId: batch.requirementId[n]!,
    // The item above a task is a milestone or another task; a join would cost more than asking here.
    milestoneId: milestoneAbove(batch.parentItemId[n]!, milestones),
  }));
}

const milestoneAbove = (id: number | null, milestones: ReadonlySet<number>): number | null =>
  id !== null && milestones.has(id) ? id : null;
