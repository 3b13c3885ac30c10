/** `stint import --format`: imports another service's export into a workspace, or only prints the report (behaviour §36.17). */
import { basename } from 'node:path';
import { z } from 'zod';
import { readFilesQuota } from '../config.ts';
import type { Source } from '../import/file/source.ts';
import { importNow } from '../import/runs/importNow.ts';
import type { ImportDetails } from '../import/runs/imports.ts';
import { readSourceFacts } from '../import/runs/itemQueries.ts';
import { importPermit } from '../import/runs/runQueries.ts';
import { callerOf } from '../import/runs/schema.ts';
import { checkMap } from '../import/sources/checkMap.ts';
import { ImportMap } from '../import/sources/map.ts';
import { type Format, formats } from '../import/sources/source.ts';
import { parseInput } from '../operations/input.ts';
import { InvalidRequest } from '../values/errors.ts';
import { type Context, option } from './command.ts';
import { itemsText, reportText } from './importReport.ts';
import { flag, optionalId } from './options.ts';

export const sourceOptions = {
  format: option(
    z.enum(formats, { error: `give one of ${formats.join(', ')}` }).optional(),
    formats.join('|'),
    'import the export of another service into a workspace',
  ),
  workspace: optionalId('with --format: the workspace'),
  user: optionalId('with --format: the person who imports; one who runs the workspace and may write'),
  map: option(z.string().optional(), 'FILE', 'with --format: what columns and values become (docs/import-map.schema.json)'),
  'dry-run': flag('with --format: print the report and the first ten items, and write nothing'),
};

interface Given {
  format: Format;
  workspace?: number | undefined;
  user?: number | undefined;
  map?: string | undefined;
  'dry-run'?: true | undefined;
}

export async function importSource(
  context: Context,
  { format, workspace, user, map, 'dry-run': dry }: Given,
  file: string,
): Promise<object> {
  if (workspace === undefined) throw new InvalidRequest(['workspace'], 'give the workspace to import into.');
  if (user === undefined) throw new InvalidRequest(['user'], 'give the person who imports.');
  const chosen = map === undefined ? undefined : parseInput(ImportMap, parsed(await context.readText(map)), 'The map');
  const db = await context.db({ unlimited: true });
  const caller = callerOf({ userId: user });
  const permit = await importPermit(db.pool(), caller, workspace);
  if (chosen) checkMap(chosen, await readSourceFacts(db.pool(), permit));
  const { source, close } = await context.openFile(file);
  try {
    const upload = {
      workspaceId: workspace,
      fileName: basename(file),
      source: streamOf(source),
      quotaBytes: readFilesQuota(context.environment),
      format,
      map: chosen,
    };
    const details = await importNow(db, caller, upload, { dryRun: dry === true, signal: new AbortController().signal });
    return resultOf(details, dry === true);
  } finally {
    await close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest(['map'], 'is not valid JSON; correct the file.');
  }
}

async function* streamOf(source: Source): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = Buffer.allocUnsafe(65_536);
    const length = source.read(piece, 0, at);
    if (length === 0) return;
    yield piece.subarray(0, length);
    at += length;
  }
}

function resultOf(
  { id, state, problem, report, preview, created, updated, unchanged, refused, comments, firstProblems }: ImportDetails,
  dry: boolean,
) {
  if (dry) return { dryRun: true, report, items: preview };
  const counts = { created, updated, unchanged, refused, comments };
  return { ok: state === 'done', import: id, state, problem, ...counts, problems: firstProblems, report };
}

/** The report; after an import also the counts, and rows that were refused. */
export function printSource({ report, ...rest }: ReturnType<typeof resultOf>): string {
  const text = report ? reportText(report) : '';
  if ('dryRun' in rest) return `${text}\n\nNothing was written. The first items:\n\n${itemsText(rest.items ?? [])}`;
  const counts = `${rest.created} created, ${rest.updated} updated, ${rest.unchanged} unchanged, ${rest.refused} refused, ${rest.comments} comments.`;
  const problems = (rest.problems ?? []).map(({ line, problem }) => `  line ${line}: ${problem}`);
  return [text, '', `Import ${rest.import} is ${rest.state}${rest.problem ? `: ${rest.problem}` : '.'}`, counts, ...problems].join('\n');
}
