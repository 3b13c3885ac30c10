/** A role that may open only so many connections, as a small database plan has them. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';

export interface LimitedRole {
  url: string;
  /** Opens a connection, which counts, and resolves to what closes it. */
  hold(): Promise<() => Promise<void>>;
}

/** It may do what the owner of the database at `url` may. Dropped after the test. */
export async function limitedRole(t: ExecutionContext, url: string, limit: number): Promise<LimitedRole> {
  const owner = new pg.Client(url);
  await owner.connect();
  const name = `limited_${process.pid}_${Date.now().toString(36)}`;
  await owner.query(`create role ${name} login password 'limited' connection limit ${limit}; grant ${owner.user} to ${name}`);
  const held = new Set<pg.Client>();
  t.teardown(async () => {
    await Promise.all([...held].map((client) => client.end()));
    await owner.query(`drop role ${name}`);
    await owner.end();
  });
  const limited = Object.assign(new URL(url), { username: name, password: 'limited' }).href;
  return {
    url: limited,
    async hold() {
      const client = new pg.Client(limited);
      await client.connect();
      held.add(client);
      return () => {
        held.delete(client);
        return client.end();
      };
    },
  };
}
