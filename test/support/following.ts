/** For tests of change followers: waits until all current changes are readable. Open transactions of other test files in the same cluster
 *  hold the last rows back for a moment. */
import { z } from 'zod';
import { type Follower, follow } from '../../src/changes/follow.ts';
import type { Db } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { eventually } from './eventually.ts';

const Behind = z.object({ behind: z.boolean() });

/** Waits until everything committed so far is readable (behaviour §15.4). */
export async function settled(db: Db): Promise<void> {
  const isBehind = () =>
    db.pool().oneFirst(sql.type(Behind)`
      select exists (select from changes c where (c.era, c.xact) >= (change_era(), pg_snapshot_xmin(pg_current_snapshot()))) as behind`);
  if (await eventually(isBehind, (behind) => !behind)) throw new Error('An older transaction did not end.');
}

export async function caughtUp(db: Db, follower: Follower): Promise<void> {
  const isBehind = async () => {
    await follow(db, follower);
    return db.pool().oneFirst(sql.type(Behind)`
      select exists (select from changes c, change_followers f where f.name = ${follower.name} and (c.era, c.xact, c.id) > (f.era, f.xact, f.id)) as behind`);
  };
  if (await eventually(isBehind, (behind) => !behind)) throw new Error(`${follower.name} did not catch up.`);
}
