/** An import without pages, for the command line: reads the file, and writes it in this process (behaviour §36.20). */
import type { Db } from '../../database/db.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { cancelImport, getImport, type ImportDetails, startImport, type Upload, uploadImport } from './imports.ts';
import { prepareImport } from './prepare.ts';
import { runImport } from './run.ts';
import type { RunCaller } from './schema.ts';

/** A worker may run the same job at the same time: batches take turns. With `dryRun`, the import is deleted. Throws InvalidRequest for an
 *  unreadable file. */
export async function importNow(
  db: Db,
  caller: RunCaller,
  upload: Upload,
  { dryRun, signal }: { dryRun: boolean; signal: AbortSignal },
): Promise<ImportDetails> {
  const { workspaceId } = upload;
  const importId = await uploadImport(db, caller, upload);
  const details = async () => outputOf(await perform(db, caller, getImport, { workspaceId, importId }));
  await prepareImport(db, { importId, revision: 1 }, signal);
  const prepared = await details();
  if (dryRun || prepared.state !== 'ready') await perform(db, caller, cancelImport, { workspaceId, importId });
  if (prepared.state !== 'ready') throw new InvalidRequest([], prepared.problem ?? 'The import has changed. Start it again.');
  if (dryRun) return prepared;
  await perform(db, caller, startImport, { workspaceId, importId });
  await runImport(db, importId, signal);
  return details();
}
