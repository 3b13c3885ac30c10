/** For tests of who follows the changes: sees all that there is by now. Open transactions of other test files hold the last rows back for a
 *  moment, as everything in the database's cluster does. */
import { z } from 'zod';
import { type Follower, follow } from '../../src/changes/follow.ts';
import type { Db } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { eventually } from './eventually.ts';

const Behind = z.object({ behind: z.boolean() });

/** Until what was committed so far may be read by its place (behaviour §15.4). */
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
