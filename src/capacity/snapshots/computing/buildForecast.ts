import { ForecastBuilder } from '../../forecast/builder.ts';
import type { ComputedForecast } from '../../forecast/computed.ts';
import { forecastJson } from '../../forecast/json.ts';
import type { TaskRow } from '../../forecast/rows.ts';
import type { ScopeSource, TaskBatch } from './source.ts';

/** The first pass. Call `piecesOf` for the second pass in the same transaction. */
export async function buildForecast(source: ScopeSource): Promise<ComputedForecast> {
  const builder = new ForecastBuilder(await source.input());
  const milestones = new Set<number>();
  for await (const rows of source.containers()) {
    builder.addContainers(rows);
    for (const { id, type } of rows) if (type === 'milestone') milestones.add(id);
  }
  for await (const batch of source.tasks()) builder.addTasks(rowsOf(batch, milestones));
  for await (const rows of source.recorded()) builder.addRecorded(rows);
  for await (const rows of source.planned()) builder.addPlanned(rows);
  for await (const rows of source.trend()) builder.addTrend(rows);
  return builder.finish();
}

const PIECE_LENGTH = 1 << 16;

export async function* piecesOf(computed: ComputedForecast, source: Pick<ScopeSource, 'work'>): AsyncGenerator<string> {
  const text = forecastJson(computed);
  let piece = '';
  for (let part = text.next([]); !part.done; ) {
    if (typeof part.value !== 'string') {
      part = text.next(await source.work(part.value));
      continue;
    }
    piece += part.value;
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
    part = text.next([]);
  }
  yield piece;
}

function rowsOf(batch: TaskBatch, milestones: ReadonlySet<number>): TaskRow[] {
  const left = new Set(batch.leftIds);
  return batch.id.map((id, n) => ({
    id,
    status: batch.status[n]!,
    assigneeId: batch.assigneeId[n]!,
    assigneeLeft: left.has(id),
    estimatedHours: batch.estimatedHours[n]!,
    progressPercent: batch.progressPercent[n]!,
    priorityRank: batch.priorityRank[n]!,
    startDay: batch.startDay[n]!,
    dueDay: batch.dueDay[n]!,
    completedDay: batch.completedDay[n]!,
    releaseId: batch.releaseId[n]!,
    requirementId: batch.requirementId[n]!,
    // The parent is a milestone or a task. This lookup is cheaper than a join.
    milestoneId: milestoneAbove(batch.parentItemId[n]!, milestones),
  }));
}

export const milestoneAbove = (id: number | null, milestones: ReadonlySet<number>): number | null =>
  id !== null && milestones.has(id) ? id : null;
