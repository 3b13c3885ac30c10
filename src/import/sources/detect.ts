/** Tells which service made a file, from its first bytes (behaviour §36.1). */

import { InvalidRequest } from '../../values/errors.ts';
import { delimiterOf, splitLine } from './csv.ts';
import { encodingOf, refuseBinary } from './decode.ts';
import type { Format } from './source.ts';

/** Columns that only the exports of this service have together. */
const signatures: readonly [Format, readonly string[]][] = [
  ['jira', ['issue key', 'summary']],
  ['linear', ['id', 'team', 'title', 'creator']],
  // Searches and My tasks have no sections.
  ['asana', ['task id', 'completed at', 'last modified', 'name']],
];

/** `head`: as `readHead` returns it. Throws InvalidRequest for files that are not text. */
export function detectFormat(head: Uint8Array, name = ''): Format {
  refuseBinary(head);
  const text = new TextDecoder(encodingOf(head)).decode(head, { stream: true }).trimStart();
  if (text.startsWith('[')) return 'github';
  if (text.startsWith('{')) return text.slice(0, 1_000).includes('"accounts"') ? 'stint' : 'trello';
  if (text.startsWith('<')) throw new InvalidRequest([], 'This is a web page or XML. Export CSV or JSON instead.');
  if (name.toLowerCase().endsWith('.json')) throw new InvalidRequest([], 'The file is not JSON. Export it again.');
  const header = splitLine(text, delimiterOf(text)).map((cell) => cell.trim().toLowerCase());
  return signatures.find(([, columns]) => columns.every((column) => header.includes(column)))?.[0] ?? 'csv';
}
