/** Operations of imports for the pages: upload, choices, start, cancel, resume, undo (behaviour §36.20–§36.27). */
import { z } from 'zod';
import type { Caller, Permit } from '../../access/caller.ts';
import type { Subject } from '../../audit/line.ts';
import type { Db, Tx } from '../../database/db.ts';
import { type BlobRef, deleteBlob, keepBlob, readBlob, writeBlob } from '../../files/blobs.ts';
import type { Read, Write } from '../../operations/operation.ts';
import { enqueue } from '../../queue/jobs.ts';
import { Conflict, Unavailable } from '../../values/errors.ts';
import { firstCharacters, Id } from '../../values/text.ts';
import { checkMap, fittingMap } from '../sources/checkMap.ts';
import { readHead } from '../sources/decode.ts';
import { ImportMap } from '../sources/map.ts';
import { type Format, formats } from '../sources/source.ts';
import { type InvitedByImport, invitePeople } from './invite.ts';
import { readSourceFacts } from './itemQueries.ts';
import {
  type ImportDetails,
  type ImportList,
  type ProblemRow,
  readImport,
  readImports,
  readProblems,
  rememberedMap,
} from './pageQueries.ts';
import { fileReader } from './reading.ts';
import {
  beginRun,
  changeChoices,
  deleteDraft,
  importPermit,
  insertImport,
  refuseMoreReading,
  refuseMoreWriting,
  requireStatusPermit,
  statusPermit,
  stopRun,
} from './runQueries.ts';
import { MOST_FILE_BYTES } from './schema.ts';
import { beginUndo } from './undoQueries.ts';

export type { ImportDetails, ImportLine } from './pageQueries.ts';

export interface Upload {
  workspaceId: number;
  fileName: string;
  source: AsyncIterable<Uint8Array>;
  quotaBytes: number;
  /** Default: detected. */
  format?: Format | undefined;
  /** Default: the choices of the last import of this format, without its people. */
  map?: ImportMap | undefined;
}

/** Stores the file and adds the job that reads it. Returns the import's id. Throws Forbidden, InvalidRequest for a file that is too
 *  large, and Conflict while others of the person are being read. */
export async function uploadImport(
  db: Db,
  caller: Caller,
  { workspaceId, fileName, source, quotaBytes, format, map }: Upload,
): Promise<number> {
  const { accountId, userId } = await db.transaction(async (tx) => {
    const permit = await importPermit(tx, caller, workspaceId);
    await refuseMoreReading(tx, permit, null);
    return permit;
  });
  const blob = await writeBlob(db, source, { accountId, mostBytes: MOST_FILE_BYTES, quotaBytes });
  const found = format ?? (await detected(db, userId, blob, fileName));
  return db.transaction(async (tx) => {
    const permit = await importPermit(tx, caller, workspaceId);
    await refuseMoreReading(tx, permit, null);
    if (!(await keepBlob(tx, blob))) throw new Unavailable('The upload was interrupted. Send the file again.');
    const chosen = map ?? (await rememberedChoices(tx, permit, found));
    const name = firstCharacters(fileName, 255) || 'file';
    const importId = await insertImport(tx, permit, { source: found, fileName: name, blobId: blob.id, fileSize: blob.size, map: chosen });
    await enqueue(tx, 'prepare_import', { importId, revision: 1 }, aboutOf(permit));
    return importId;
  });
}

async function rememberedChoices(tx: Tx, permit: Permit, format: Format): Promise<object> {
  const map = await rememberedMap(tx, permit, format);
  if (!map) return {};
  const fitting = fittingMap(map, await readSourceFacts(tx, permit));
  const creates = fitting.unknownStatuses === 'create' && (await statusPermit(tx, permit.caller, permit.workspaceId)) !== null;
  return { ...fitting, unknownStatuses: creates ? 'create' : 'nearest' };
}

/** Deletes a file that no format fits, such as a zip. */
async function detected(db: Db, userId: number, blob: BlobRef & { size: number }, fileName: string): Promise<Format> {
  try {
    return await fileReader.detect(userId, await readHead(() => readBlob(db.pool(), blob)), fileName);
  } catch (error) {
    await deleteBlob(db.pool(), blob);
    throw error;
  }
}

const aboutOf = ({ accountId, workspaceId, userId }: Permit) => ({ about: { account: accountId, workspace: workspaceId, user: userId } });

const Place = z.strictObject({ workspaceId: Id });
const One = Place.extend({ importId: Id });
type One = z.infer<typeof One>;

export const listImports: Read<z.infer<typeof Place>, ImportList> = {
  name: 'listImports',
  input: Place,
  run: async (tx, caller, { workspaceId }) => readImports(tx, await importPermit(tx, caller, workspaceId)),
};

export const getImport: Read<One, ImportDetails> = {
  name: 'getImport',
  input: One,
  run: async (tx, caller, { workspaceId, importId }) => readImport(tx, await importPermit(tx, caller, workspaceId), importId),
};

const ProblemsInput = One.extend({ after: z.int().optional() });

/** Rows that were refused, or of which a part was left out, up to 1,000 after `after`. */
export const importProblems: Read<z.infer<typeof ProblemsInput>, readonly ProblemRow[]> = {
  name: 'importProblems',
  input: ProblemsInput,
  run: async (tx, caller, { workspaceId, importId, after }) =>
    readProblems(tx, await importPermit(tx, caller, workspaceId), importId, after ?? null),
};

const Choices = One.extend({ format: z.enum(formats), map: ImportMap });

export const chooseImport: Write<z.infer<typeof Choices>, void> = {
  name: 'chooseImport',
  input: Choices,
  authorize: (tx, caller, { workspaceId }) => importPermit(tx, caller, workspaceId),
  async run(tx, permit, { importId, format, map }) {
    await refuseMoreReading(tx, permit, importId);
    checkMap(map, await readSourceFacts(tx, permit));
    if (map.unknownStatuses === 'create') await requireStatusPermit(tx, permit.caller, permit.workspaceId);
    const revision = await changeChoices(tx, permit, importId, format, map);
    if (revision === null) throw new Conflict('This import has started already. Reload the page.');
    await enqueue(tx, 'prepare_import', { importId, revision }, aboutOf(permit));
  },
};

const changing = (
  name: string,
  run: (tx: Tx, permit: Permit, input: One) => Promise<void>,
  audit?: 'workspace.import_undone',
): Write<One, void> => ({
  name,
  input: One,
  authorize: (tx, caller, { workspaceId }) => importPermit(tx, caller, workspaceId),
  run,
  ...(audit && { audit: [{ kind: audit, event: true, about: (_permit, { workspaceId }) => ({ type: 'workspace', id: workspaceId }) }] }),
});

const startFrom =
  (from: 'ready' | 'stopped') =>
  async (tx: Tx, permit: Permit, { importId }: One) => {
    await refuseMoreWriting(tx, permit);
    await beginRun(tx, permit, importId, from);
    await enqueue(tx, 'run_import', { importId }, aboutOf(permit));
  };

/** `mailed`: mails are set up, so invited people get a link. */
const Start = One.extend({ mailed: z.boolean().optional() });
const aboutUser = (id: number): Subject => ({ type: 'user', id });

/** Invites the chosen people, who become members immediately, and enqueues the job that writes. */
export const startImport: Write<z.infer<typeof Start>, InvitedByImport> = {
  name: 'startImport',
  input: Start,
  authorize: (tx, caller, { workspaceId }) => importPermit(tx, caller, workspaceId),
  async run(tx, permit, input) {
    await startFrom('ready')(tx, permit, input);
    return invitePeople(tx, permit, input.importId, input.mailed ?? false);
  },
  audit: [
    { kind: 'workspace.imported', event: true, about: (_permit, { workspaceId }) => ({ type: 'workspace', id: workspaceId }) },
    { kind: 'user.added', made: (_permit, _input, { added }) => added.map(aboutUser) },
    { kind: 'link.made', made: (_permit, _input, { linked }) => linked.map(aboutUser), event: true },
    { kind: 'member.put', made: (_permit, { workspaceId }, { joined }) => joined.map((id) => ({ type: 'member', id, workspaceId })) },
  ],
};
/** Continues after the last written row, with the rights of the person who resumes it. */
export const resumeImport = changing('resumeImport', startFrom('stopped'));

/** Stops a run, which can be resumed. Deletes an import that was not started. */
export const cancelImport: Write<One, { kept: boolean }> = {
  name: 'cancelImport',
  input: One,
  authorize: (tx, caller, { workspaceId }) => importPermit(tx, caller, workspaceId),
  async run(tx, permit, { importId }) {
    if (await deleteDraft(tx, permit, importId)) return { kept: false };
    if (await stopRun(tx, permit, importId)) return { kept: true };
    throw new Conflict('This import has ended already. Reload the page.');
  },
};

export const undoImport = changing(
  'undoImport',
  async (tx, permit, { importId }) => {
    await refuseMoreWriting(tx, permit);
    await beginUndo(tx, permit, importId);
    await enqueue(tx, 'undo_import', { importId }, aboutOf(permit));
  },
  'workspace.import_undone',
);
