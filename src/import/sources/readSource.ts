/** Reads the issues of a file one by one, in the same order each time (behaviour §36.1). */
import { ownValue } from '../../values/records.ts';
import { isCsv } from './columns.ts';
import { csvRecords } from './csv.ts';
import { issueOfRow } from './csvIssue.ts';
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
const charactersOf = ({ description, comments }: SourceIssue): number =>
  comments.reduce((sum, { body }) => sum + body.length, description.length);

/** `survey`: of this file and map. A key that an earlier row has is refused. */
export async function* readSource(survey: Survey, open: OpenSource, map: ImportMap): AsyncGenerator<SourceRow> {
  const lines = new Map<string, number>();
  for await (const row of rowsOf(survey, open, map)) {
    const { key, line } = row;
    const earlier = key === null || 'refused' in row ? undefined : lines.get(key);
    if (earlier !== undefined) yield { line, key, refused: `its key is also used in line ${earlier}` };
    else if ('issue' in row && row.issue.comments.length > MOST_COMMENTS) yield { line, key, refused: 'it has more than 5,000 comments' };
    else if ('issue' in row && charactersOf(row.issue) > MOST_CHARACTERS)
      yield { line, key, refused: 'its description and comments have more than 8 million characters' };
    else {
      if (key !== null && !('refused' in row)) lines.set(key, line);
      yield row;
    }
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
