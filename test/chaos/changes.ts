/** Follows the feed of changes during the run, and compares it with the items (behaviour §15). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './calls.ts';
import type { Postgres } from './postgres.ts';
import { type Once, onceOf } from './report.ts';
import type { Stage } from './tool.ts';

export type Follower = ReturnType<typeof follow>;

export function follow(stage: Stage, restKey: string) {
  let after = '0';
  const told: number[] = [];
  const readPage = async () => {
    const [life] = stage.crew.listening();
    const path = `/api/v1/changes?workspaceId=${stage.workspaceId}&limit=200&after=${after}`;
    const answer = life && (await stage.calls.send(life, path, { headers: { 'X-API-Key': restKey } }));
    if (answer?.status !== 200) return;
    told.push(...answer.body.changes.map(({ id }: Json) => id));
    after = answer.body.nextAfter;
  };
  return {
    told,
    async live(): Promise<void> {
      for (; performance.now() < stage.endsAt; await sleep(100)) await readPage();
    },
    /** Reads the rest after all writes have ended. */
    async finish(): Promise<void> {
      for (let idle = 0; idle < 50; idle++) {
        const before = told.length;
        await readPage();
        if (told.length > before) idle = 0;
        else await sleep(20);
      }
    },
  };
}

/** Compares the rows of changes with the items' versions and comments, and the feed with the rows. Earlier rows of an archived item may or
 *  may not appear. `imported`: items whose first version has no row. */
export async function judgeChanges(postgres: Postgres, { told }: Follower, imported: readonly number[]): Promise<Once> {
  const rows = await postgres.rows(
    `
    select format('version %s of item %s', v, i.id) as what, count(c.id)::int as times
    from items i cross join generate_series(1, i.version) v
    left join changes c on c.item_id = i.id and c.version = v and c.kind <> 'comment.created'
    where not (v = 1 and i.id = any($1)) group by i.id, v
    union all
    select format('comment %s', m.id), count(c.id)::int from comments m left join changes c on c.comment_id = m.id group by m.id
    union all
    select format('version %s, later than item %s', c.version, i.id), 2 from changes c join items i on i.id = c.item_id
    where c.version > i.version
    union all
    select format('%s in the feed', c.id), count(t)::int
    from changes c join items i on i.id = c.item_id left join unnest($2::bigint[]) t on t = c.id
    where i.shown or c.kind = 'item.archived' or t is not null group by c.id`,
    [imported, told],
  );
  return onceOf(rows);
}
