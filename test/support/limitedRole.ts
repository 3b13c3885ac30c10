/** A role with a connection limit, like a small database plan. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';

export interface LimitedRole {
  url: string;
  /** Opens a connection that counts. Resolves to a function that closes it. */
  hold(): Promise<() => Promise<void>>;
}

/** It has the rights of the database owner at `url`. Dropped after the test. */
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
