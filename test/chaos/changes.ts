/** Follows the feed of changes during the run, and compares it with the items (behaviour §15). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './calls.ts';
import type { Postgres } from './postgres.ts';
import type { Once } from './report.ts';
import type { Stage } from './tool.ts';

export class Follower {
  readonly #stage: Stage;
  readonly #restKey: string;
  #after = '0';
  readonly told: number[] = [];

  constructor(stage: Stage, restKey: string) {
    this.#stage = stage;
    this.#restKey = restKey;
  }

  async live(): Promise<void> {
    while (performance.now() < this.#stage.endsAt) {
      await this.#page();
      await sleep(100);
    }
  }

  /** Reads the rest after all writes have ended. */
  async finish(): Promise<void> {
    for (let left = 50; left > 0; left--) {
      const before = this.told.length;
      await this.#page();
      if (this.told.length > before) left = 50;
      else await sleep(20);
    }
  }

  async #page(): Promise<void> {
    const [life] = this.#stage.crew.listening();
    const path = `/api/v1/changes?workspaceId=${this.#stage.workspaceId}&limit=200&after=${this.#after}`;
    const answer = life && (await this.#stage.calls.get(life, path, { 'X-API-Key': this.#restKey }));
    if (answer?.status !== 200) return;
    this.told.push(...answer.body.changes.map(({ id }: Json) => id));
    this.#after = answer.body.nextAfter;
  }
}

/** Missing or repeated rows: rows compared with the items' versions and comments, and the feed compared with the rows. Earlier rows of an
 *  archived item may or may not appear. `imported`: items whose first version has no row. */
export async function judgeChanges(postgres: Postgres, { told }: Follower, imported: readonly number[]): Promise<Once> {
  const versions = await postgres.rows(
    `
    select i.id, v, count(c.id)::int as rows from items i cross join generate_series(1, i.version) v
    left join changes c on c.item_id = i.id and c.version = v and c.kind <> 'comment.created'
    where not (v = 1 and i.id = any($1)) group by i.id, v having count(c.id) <> 1`,
    [imported],
  );
  const comments = await postgres.rows(`
    select m.id, count(c.id)::int as rows from comments m left join changes c on c.comment_id = m.id group by m.id having count(c.id) <> 1`);
  const beyond = await postgres.rows(`
    select c.id from changes c join items i on i.id = c.item_id where c.version > i.version`);
  const owed = await postgres.rows(`
    select c.id::int as id from changes c join items i on i.id = c.item_id where i.shown or c.kind = 'item.archived'`);
  const seen = new Set(told);
  const wrong = [
    ...versions.map(({ id, v, rows }) => ({ rows, what: `version ${v} of item ${id} has ${rows} rows` })),
    ...comments.map(({ id, rows }) => ({ rows, what: `comment ${id} has ${rows} rows` })),
  ];
  return {
    expected: owed.length,
    lost: [
      ...wrong.filter(({ rows }) => rows === 0).map(({ what }) => what),
      ...owed.filter(({ id }) => !seen.has(id)).map(({ id }) => `change ${id} is missing in the feed`),
    ],
    doubled: [
      ...wrong.filter(({ rows }) => rows > 1).map(({ what }) => what),
      ...beyond.map(({ id }) => `change ${id} is of a version that its item has not come to`),
      ...told.filter((id, at) => told.indexOf(id) !== at).map((id) => `change ${id} is in the feed twice`),
    ],
  };
}
