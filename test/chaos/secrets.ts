/** Searches every column of every table, and all logs, for secrets that must not be there. */
import { COMMENT_WORDS, NOTE_WORDS } from './agents.ts';
import type { Postgres } from './postgres.ts';

/** Texts of users, and the only place that may have them. */
const placeOf = new Map([
  [NOTE_WORDS, 'public.personal_notes'],
  [COMMENT_WORDS, 'public.comments'],
]);

/** Each hit names the place and the kind, never the secret. */
export async function findSecrets(secrets: Iterable<string>, postgres: Postgres, log: string[]): Promise<string[]> {
  const forms = [...secrets].flatMap((secret) => [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]);
  const places = [...(await dump(postgres)), { name: 'a log', text: log.join('\n') }];
  return [...forms, ...placeOf.keys()].flatMap((secret) =>
    places
      .filter(({ name, text }) => name !== placeOf.get(secret) && text.includes(secret))
      .map(({ name }) => `${name} holds ${placeOf.has(secret) ? secret : `a secret of ${secret.length} characters`}`),
  );
}

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
