/** Reads the file of a run into rows, and orders them (behaviour §36.21). */
import type { Permit } from '../../access/caller.ts';
import { auditCommand } from '../../audit/audit.ts';
import type { Db, Tx } from '../../database/db.ts';
import { limits } from '../../operations/limits.ts';
import { insertStatus, lockWorkflow } from '../../workspaces/workflowQueries.ts';
import type { PlannedStatus } from '../sources/planned.ts';
import type { OpenSource } from '../sources/source.ts';
import type { Survey } from '../sources/surveySchema.ts';
import { addLabels, readSourceFacts } from './itemQueries.ts';
import { fileReader } from './reading.ts';
import type { Piece } from './readRows.ts';
import { insertRows, insertRowsJson, placeRows, readWanted, setStaged } from './rowQueries.ts';
import { heldPermit, importPermit, lockRun, requireStatusPermit } from './runQueries.ts';
import type { Run, RunCaller } from './schema.ts';

/** JSON: it takes less memory than the rows. */
interface Placing {
  implied: string[];
  placed: { rows: string; count: number }[];
}

/** Stages all rows. After a kill, it reads the file again and keeps the staged rows. */
export async function stage(
  db: Db,
  run: Run,
  caller: RunCaller,
  open: OpenSource,
  signal: AbortSignal,
  reader = fileReader,
): Promise<void> {
  const facts = await readSourceFacts(db.pool(), await importPermit(db.pool(), caller, run.workspaceId));
  let placing: Placing = { implied: [], placed: [] };
  const take = async (piece: Piece | null) => {
    signal.throwIfAborted();
    if (piece === null) return;
    if ('rows' in piece) {
      placing = { implied: [], placed: [] };
      await stageRows(db, run, piece);
    } else if ('implied' in piece) placing.implied.push(JSON.stringify(piece.implied));
    else placing.placed.push({ rows: JSON.stringify(piece.placed), count: piece.placed.length });
  };
  const refused = await reader.stage(open, surveyOf(run), { map: run.map, facts }, take);
  await db.transaction((tx) => setUp(tx, run, caller, placing, refused));
}

const stageRows = (db: Db, run: Run, { rows, n }: Extract<Piece, { rows: unknown }>): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await lockRun(tx, run.id, 'running'))) throw new Cancelled();
    await insertRows(tx, run, rows);
    await setStaged(tx, run.id, n);
  });

/** The import was cancelled, or another worker has continued it. */
export class Cancelled extends Error {}

/** An import that starts has a survey. */
function surveyOf({ survey }: Run): Survey {
  if (!survey) throw new Cancelled();
  return survey;
}

/** Creates labels and statuses, and gives each row its position: milestones and releases, items, and dependencies on later items. */
async function setUp(tx: Tx, run: Run, caller: RunCaller, { implied, placed }: Placing, refused: number): Promise<void> {
  const locked = await lockRun(tx, run.id, 'running');
  if (locked?.staged == null) throw new Cancelled();
  const permit = await heldPermit(tx, caller, run.workspaceId);
  await createWanted(tx, run, permit);
  for (const rows of implied) await insertRowsJson(tx, run, rows);
  await placeRows(tx, run.id, placed, refused);
}

async function createWanted(tx: Tx, run: Run, permit: Permit): Promise<void> {
  const { labels, statuses } = await readWanted(tx, run.id);
  if (statuses.length > 0) await createStatuses(tx, permit, statuses);
  await lockWorkflow(tx, permit);
  await addLabels(tx, permit, labels, limits.labels.most);
}

async function createStatuses(tx: Tx, permit: Permit, statuses: readonly PlannedStatus[]): Promise<void> {
  const { workspaceId } = permit;
  const by = await requireStatusPermit(tx, permit.caller, workspaceId);
  await auditCommand(tx, by, 'workspace.words', { type: 'words', id: workspaceId }, async () => {
    await lockWorkflow(tx, by);
    const known = new Set((await readSourceFacts(tx, permit)).statuses.map(({ key }) => key));
    for (const status of statuses) if (!known.has(status.key)) await insertStatus(tx, by, status);
  });
}
