/** Computes a forecast and stores it as the newest snapshot (behaviour §6.24). Only for the thread of a worker (snapshotWorkspace.ts). */
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ClientBase, DatabaseError, Pool, PoolClient } from 'pg';
import { elementAt } from '../../../values/records.ts';
import { ForecastBuilder } from '../../forecast/builder.ts';
import type { ComputedForecast } from '../../forecast/computed.ts';
import { forecastJson } from '../../forecast/json.ts';
import {
  outlineOf,
  overloadedWeeks,
  type ProjectLine,
  personLines,
  projectLines,
  type StoredLine,
  type TextPlace,
  worstFirst,
} from '../../forecast/outline.ts';
import { milestoneAbove } from '../../forecast/projects.ts';
import type { TaskRow } from '../../forecast/rows.ts';
import type { ForecastRequest, Outcome, TrendRequest } from '../snapshotWorkspace.ts';
import { type Scope, ScopeSource, type TaskBatch } from './source.ts';
import * as store from './storeQueries.ts';

/** The first pass. Call `piecesOf` for the second pass in the same transaction. */
export async function buildForecast(source: ScopeSource): Promise<ComputedForecast> {
  const builder = new ForecastBuilder(await source.input());
  const milestones = new Set<number>();
  for await (const rows of source.containers()) {
    builder.addContainers(rows);
    for (const { id, type } of rows) if (type === 'milestone') milestones.add(id);
  }
  for await (const rows of source.dependencies()) builder.addDependencies(rows);
  for await (const batch of source.tasks()) builder.addTasks(rowsOf(batch, milestones));
  for await (const rows of source.recorded()) builder.addRecorded(rows);
  for await (const rows of source.planned()) builder.addPlanned(rows);
  for await (const rows of source.trend()) builder.addTrend(rows);
  return builder.finish();
}

const PIECE_LENGTH = 1 << 16;

/** `places`: is filled with the place of each project's text. */
export async function* piecesOf(
  computed: ComputedForecast,
  source: Pick<ScopeSource, 'work'>,
  places: TextPlace[] = [],
): AsyncGenerator<string> {
  let piece = '';
  let [count, before] = [0, 0];
  const text = forecastJson(computed, (n, edge) => {
    const at = before + piece.length;
    const place = places[n];
    if (edge === 'begins') places[n] = { first: count, last: count, skipped: piece.length, length: -at };
    else if (place) places[n] = { ...place, last: count, length: place.length + at };
  });
  for (let part = text.next([]); !part.done; ) {
    if (typeof part.value !== 'string') {
      part = text.next(await source.work(part.value));
      continue;
    }
    piece += part.value;
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      count++;
      before += piece.length;
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
    status: elementAt(batch.status, n),
    assigneeId: elementAt(batch.assigneeId, n),
    assigneeLeft: left.has(id),
    estimatedHours: elementAt(batch.estimatedHours, n),
    progressPercent: elementAt(batch.progressPercent, n),
    recordedMinutes: batch.recordedMinutes[id] ?? 0,
    priorityRank: elementAt(batch.priorityRank, n),
    startDay: elementAt(batch.startDay, n),
    dueDay: elementAt(batch.dueDay, n),
    completedDay: elementAt(batch.completedDay, n),
    releaseId: elementAt(batch.releaseId, n),
    requirementId: elementAt(batch.requirementId, n),
    // The parent is a milestone or a task. This lookup is cheaper than a join.
    milestoneId: milestoneAbove(elementAt(batch.parentItemId, n), milestones),
  }));
}

export function computeSnapshot(streams: Pool, { forecastId, since }: ForecastRequest): Promise<Outcome> {
  return onConnection(streams, async (client) => {
    if (!(await store.tryLock(client, forecastId))) return 'later';
    const outcome = await computeUnlessFresh(client, forecastId, since);
    // Even if the snapshot was fresh: another process may have started to wait just before it was stored.
    if (outcome === 'computed' || outcome === 'fresh') await store.announce(client, forecastId);
    await store.unlock(client, forecastId);
    return outcome;
  });
}

async function computeUnlessFresh(client: ClientBase, forecastId: number, since: string | null): Promise<Outcome> {
  if (await store.isFresh(client, forecastId, since)) return 'fresh';
  const begun = await store.beginReading(client);
  const scope = await store.scopeOf(client, forecastId);
  const read = scope && (await readForecast(client, scope));
  await client.query('commit');
  if (!read) return 'gone';
  try {
    await storeForecast(client, scope.accountId, forecastId, { ...read, begun });
    return 'computed';
  } catch (error) {
    // A change meanwhile has deleted it, unfinished, as out of date.
    if ((error as DatabaseError).code === '23503') return 'later';
    throw error;
  }
}

/** `pieces`: compressed, because a large forecast has many megabytes. */
interface Read {
  computed: ComputedForecast;
  pieces: Buffer[];
  /** Where each project's text lies in the pieces. */
  texts: TextPlace[];
  reach: Reach;
  etag: string;
}

/** For the n-th project: workspaces whose work its dates include. Null if the forecast is of one workspace. */
type Reach = ((n: number) => number[]) | null;

async function readForecast(client: ClientBase, scope: Scope): Promise<Read> {
  const source = new ScopeSource(client, scope);
  const computed = await buildForecast(source);
  const hash = createHash('sha1');
  const pieces: Buffer[] = [];
  const texts: TextPlace[] = [];
  for await (const piece of piecesOf(computed, source, texts)) {
    hash.update(piece);
    pieces.push(deflateRawSync(piece, { level: 1 }));
  }
  const reach = scope.workspaceIds.length > 1 ? computed.reach(await source.workspaces()) : null;
  return { computed, pieces, texts, reach, etag: hash.digest('base64url') };
}

/** In short transactions. */
async function storeForecast(
  client: ClientBase,
  accountId: number,
  forecastId: number,
  { computed, pieces, texts, reach, etag, begun }: Read & { begun: store.Begun },
): Promise<void> {
  const snapshotId = await store.openSnapshot(client, accountId, forecastId, begun);
  for (const [n, piece] of pieces.entries()) await store.addPiece(client, accountId, snapshotId, n, inflateRawSync(piece).toString());
  const [people, projects] = [personLines(computed), projectLines(computed)];
  const ranked = worstFirst(projects);
  for (const page of outlineOf(computed.head, people, ranked)) await store.addPage(client, accountId, snapshotId, page);
  const places = new Map(ranked.map(({ id }, place) => [id, place]));
  for (const figures of projectFigures(projects, { texts, reach, places })) await store.addFigures(client, accountId, snapshotId, figures);
  const overloads = people.flatMap((person) => overloadedWeeks(person, computed.head.today).map((week) => ({ id: person.id, week })));
  if (overloads.length) await store.addFigures(client, accountId, snapshotId, { projects: [], overloads });
  await store.closeSnapshot(client, snapshotId, etag, begun.day);
}

const FIGURES_AT_ONCE = 1_000;

/** `places`: position of each project, worst first, by id. */
function* projectFigures(
  lines: readonly ProjectLine[],
  { texts, reach, places }: Pick<Read, 'texts' | 'reach'> & { places: ReadonlyMap<number, number> },
): Generator<store.Figures> {
  for (let from = 0; from < lines.length; from += FIGURES_AT_ONCE) {
    const projects = lines.slice(from, from + FIGURES_AT_ONCE).map(({ explained, ...line }, n) => {
      const { id, forecastDate, bufferedDate, outlook } = line;
      const stored: StoredLine = { ...line, text: elementAt(texts, from + n) };
      const workspaceIds = reach?.(from + n) ?? null;
      return { id, forecastDate, bufferedDate, outlook, explained, place: places.get(id) ?? 0, line: stored, workspaceIds };
    });
    yield { projects, overloads: [] };
  }
}

/** Closes a connection whose work failed: that ends its locks and transaction. */
export async function onConnection<Result>(streams: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await streams.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Stores the trend points of a workspace. Only for the thread of a worker (snapshotWorkspace.ts). */
export function storeTrendPoints(streams: Pool, { workspaceId, day }: TrendRequest): Promise<void> {
  return onConnection(streams, async (client) => {
    await store.beginReading(client);
    const scope = await store.scopeOfWorkspace(client, workspaceId);
    const computed = scope && (await buildForecast(new ScopeSource(client, scope)));
    await client.query('commit');
    if (computed) await store.addTrendPoints(client, scope, day, [...computed.trendPoints()]);
  });
}
