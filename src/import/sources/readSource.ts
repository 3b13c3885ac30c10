/** Reads the issues of a file one by one, in the same order each time (behaviour §36.1). */
import { ownValue } from '../../values/records.ts';
import { isCsv } from './columns.ts';
import { csvRecords } from './csv.ts';
import { issueOfRow } from './csvIssue.ts';
import { repeatedIn } from './entries.ts';
import { githubRows } from './github.ts';
import type { ImportMap } from './map.ts';
import type { OpenSource, SourceIssue, SourceRow } from './source.ts';
import { stintRows } from './stint.ts';
import { namesOf } from './survey.ts';
import type { Survey } from './surveySchema.ts';
import { trelloRows } from './trello.ts';

/** Trello and our own format have comments apart from the entry, which has a limit of its own. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_COMMENTS = 5_000;

function problemOf({ description, comments }: SourceIssue): string | null {
  if (comments.length > MOST_COMMENTS) return 'it has more than 5,000 comments';
  const characters = comments.reduce((sum, { body }) => sum + body.length, description.length);
  return characters > MOST_CHARACTERS ? 'its description and comments have more than 8 million characters' : null;
}

/** `survey`: of this file and map. A key that an earlier row has is refused, also if that row was too large. */
export async function* readSource(survey: Survey, open: OpenSource, map: ImportMap): AsyncGenerator<SourceRow> {
  const lines = new Map<string, number>();
  for await (const row of rowsOf(survey, open, map)) {
    if ('refused' in row) {
      yield row;
      continue;
    }
    const { key, line, issue } = row;
    const earlier = lines.get(key);
    if (earlier === undefined) lines.set(key, line);
    const refused = earlier === undefined ? problemOf(issue) : repeatedIn(earlier);
    yield refused === null ? row : { line, key, refused };
  }
}

function rowsOf(survey: Survey, open: OpenSource, map: ImportMap): AsyncGenerator<SourceRow> {
  switch (survey.format) {
    case 'trello':
      return trelloRows(survey, open, map);
    case 'github':
      return githubRows(survey, open);
    case 'stint':
      return stintRows(survey, open);
    default:
      return csvRows(survey, open, map);
  }
}

async function* csvRows(
  { format, encoding, delimiter, columns, people }: Survey,
  open: OpenSource,
  map: ImportMap,
): AsyncGenerator<SourceRow> {
  const byName = new Map(columns.map((column) => [column.name, { ...column, dates: ownValue(map.dates, column.name) ?? column.dates }]));
  const context = { format, map, people: new Map(people), columns: [...byName.values()] };
  let n = 0;
  for await (const { line, cells } of csvRecords(open, { encoding, delimiter: delimiter ?? ',' })) {
    if (n === 0) context.columns = namesOf(cells).flatMap((name) => byName.get(name) ?? []);
    else if (isCsv(format)) yield issueOfRow(context, line, n, cells);
    n++;
  }
}
