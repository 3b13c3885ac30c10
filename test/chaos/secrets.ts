/** Searches every column of every table, and all logs, for secrets that must not be there. */
import { COMMENT_WORDS, NOTE_WORDS } from './agents.ts';
import type { Postgres } from './postgres.ts';

/** Texts of users, and the tables that may have them. */
const texts: [string, string[]][] = [
  [NOTE_WORDS, ['public.personal_notes']],
  [COMMENT_WORDS, ['public.comments']],
];

/** The searched texts, and the tables that may have them. */
const searchedTexts = (secrets: Iterable<string>): [string, string[]][] => [
  ...[...secrets]
    .flatMap((secret) => [secret, ...(['hex', 'base64'] as const).map((form) => Buffer.from(secret).toString(form))])
    .map((text): [string, string[]] => [text, []]),
  ...texts,
];

/** Each hit names the place and the kind, never the secret. */
export async function findInTables(secrets: Iterable<string>, postgres: Postgres): Promise<string[]> {
  const tables = await dump(postgres);
  return searchedTexts(secrets).flatMap(([text, allowed]) =>
    tables
      .filter((table) => !allowed.includes(table.name) && table.text.includes(text))
      .map(({ name }) => `${name} holds ${describe(text, allowed)}`),
  );
}

export function findInLogs(secrets: Iterable<string>, log: string[]): string[] {
  const said = log.join('\n');
  return searchedTexts(secrets)
    .filter(([text]) => said.includes(text))
    .map(([text, allowed]) => `a log holds ${describe(text, allowed)}`);
}

const describe = (text: string, allowed: string[]) => (allowed.length > 0 ? `“${text}”` : `a secret of ${text.length} characters`);

/** Every row of every table as text. A row's text doubles quotes and backslashes, which no secret contains. */
async function dump(postgres: Postgres): Promise<{ name: string; text: string }[]> {
  const tables = await postgres.rows(`
    select format('%s.%s', schemaname, tablename) as name, format('%I.%I', schemaname, tablename) as quoted from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const dumped: { name: string; text: string }[] = [];
  // Sequential: a connection for each table at once exceeded PostgreSQL's limit.
  for (const { name, quoted } of tables) {
    const [{ text }] = await postgres.rows(`select coalesce(string_agg(t::text, e'\\n'), '') as text from ${quoted} t`);
    dumped.push({ name, text });
  }
  return dumped;
}
