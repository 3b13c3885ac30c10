/** The job that reads an uploaded file and prepares its report: nothing is written into the workspace (behaviour §36.20). */
import type { Db } from '../../database/db.ts';
import { AppError, InvalidRequest } from '../../values/errors.ts';
import { firstCharacters } from '../../values/text.ts';
import { checkMap } from '../sources/checkMap.ts';
import { SourceLinks } from '../sources/links.ts';
import { plan } from '../sources/plan.ts';
import type { PlannedItem } from '../sources/planned.ts';
import { readSource } from '../sources/readSource.ts';
import { Reporter } from '../sources/report.ts';
import { survey } from '../sources/survey.ts';
import { readSourceFacts } from './itemQueries.ts';
import { fileOf, NO_RIGHTS } from './run.ts';
import { importPermit, type Prepared, readRun, storePrepared, storeUnreadable } from './runQueries.ts';
import { callerOf, type Run } from './schema.ts';
import { learn, limited } from './stage.ts';

const SHOWN = 10;
const MOST_SHOWN = 300;

/** Does nothing if the choices have changed since the job was added. Throws if the database fails, so that the job runs again. */
export async function prepareImport(
  db: Db,
  { importId, revision }: { importId: number; revision: number },
  signal: AbortSignal,
): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state !== 'reading' || run.revision !== revision) return;
  try {
    await storePrepared(db.pool(), importId, revision, await prepare(db, run, signal));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    await storeUnreadable(db.pool(), importId, revision, error instanceof InvalidRequest ? error.message : NO_RIGHTS);
  }
}

async function prepare(db: Db, run: Run, signal: AbortSignal): Promise<Prepared> {
  const open = fileOf(db, run);
  const facts = await readSourceFacts(db.pool(), await importPermit(db.pool(), callerOf(run), run.workspaceId));
  checkMap(run.map, facts);
  const surveyed = await survey(run.source, open, run.map);
  const reporter = new Reporter(surveyed, run.map, facts);
  const links = new SourceLinks();
  const preview: PlannedItem[] = [];
  for await (const row of limited(readSource(surveyed, open, run.map))) {
    signal.throwIfAborted();
    if ('refused' in row) {
      reporter.refuse(row);
      continue;
    }
    const planned = plan(row.issue, run.map, facts);
    reporter.add(row.issue, planned);
    learn(facts, planned);
    links.add(planned);
    if (preview.length < SHOWN) preview.push({ ...planned, description: firstCharacters(planned.description, MOST_SHOWN), comments: [] });
  }
  reporter.links(links);
  return { survey: surveyed, report: reporter.report(), preview };
}
