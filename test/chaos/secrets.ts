/** Hunts for what may be kept or said nowhere: in every column of every table, and in all that was ever logged. */
import { COMMENT_WORDS, NOTE_WORDS } from './agents.ts';
import type { Postgres } from './postgres.ts';

/** Texts of people, and the tables they belong to. */
const texts: [string, string[]][] = [
  [NOTE_WORDS, ['public.personal_notes']],
  [COMMENT_WORDS, ['public.comments']],
];

/** Each hit names the place and the kind, never the secret. */
export async function findLeaks(postgres: Postgres, secrets: Iterable<string>, logs: string[]): Promise<string[]> {
  const hunted = [...secrets].flatMap((secret) => [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]);
  const wanted = [...hunted.map((text) => ({ text, allowed: [] as string[] })), ...texts.map(([text, allowed]) => ({ text, allowed }))];
  const leaks: string[] = [];
  for (const { name, text } of await dump(postgres)) {
    for (const { text: needle, allowed } of wanted) {
      if (!allowed.includes(name) && text.includes(needle)) leaks.push(`${name} holds ${describe(needle, allowed)}`);
    }
  }
  const said = logs.join('\n');
  for (const { text: needle, allowed } of wanted) if (said.includes(needle)) leaks.push(`a log holds ${describe(needle, allowed)}`);
  return leaks;
}

const describe = (needle: string, allowed: string[]) => (allowed.length > 0 ? `“${needle}”` : `a secret of ${needle.length} characters`);

/** Every row of every table as text. A row's text doubles quotes and backslashes; no secret of ours has any. */
async function dump(postgres: Postgres): Promise<{ name: string; text: string }[]> {
  const tables = await postgres.rows(`
    select format('%s.%s', schemaname, tablename) as name, format('%I.%I', schemaname, tablename) as quoted from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  return Promise.all(
    tables.map(async ({ name, quoted }) => ({
      name,
      text: (await postgres.rows(`select coalesce(string_agg(t::text, e'\\n'), '') as text from ${quoted} t`))[0].text,
    })),
  );
}
