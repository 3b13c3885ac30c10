import pg from 'pg';

/** Rows of one statement, on its own connection, with only node-postgres. */
// biome-ignore lint/suspicious/noExplicitAny: rows, looked into freely
export async function rowsAt(url: string, text: string, values: unknown[] = [], settings = ''): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 60_000, options: settings });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Like rowsAt, for thousands of rows: no trigger fires, so that each costs little, and nothing follows from them. */
export const rowsWithoutTriggers = (url: string, text: string, values: unknown[] = []) =>
  rowsAt(url, text, values, '-c session_replication_role=replica');
