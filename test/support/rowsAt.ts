import pg from 'pg';

/** Rows of one statement, on its own connection, with only node-postgres. */
// biome-ignore lint/suspicious/noExplicitAny: rows, looked into freely
export async function rowsAt(url: string, text: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 60_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
