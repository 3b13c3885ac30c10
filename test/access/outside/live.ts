/** Open pages of people whose rights change meanwhile: each stream gets exactly the items that its reader may see at that moment, and so
 *  does a reader that polls. */
import type { ExecutionContext } from 'ava';
import { connectDb, type Db } from '../../../src/database/db.ts';
import { liveFollower } from '../../../src/live/since.ts';
import type { Random } from '../../chaos/random.ts';
import { caughtUp } from '../../support/following.ts';
import { type LiveStream, openLive } from '../../support/liveStream.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import { credential } from './faces.ts';
import { isAlive, sees } from './rules.ts';
import { type Caller, type Item, nameOf, type Town } from './town.ts';

const [READERS, CHANGED] = [6, 8];

interface Reader {
  caller: Caller;
  stream: LiveStream;
  place: string;
}

interface Deps {
  db: Db;
  baseUrl: string;
  town: Town;
  fixtures: Fixtures;
  random: Random;
}

export class Live {
  readonly #deps: Deps;
  readonly counts = { told: 0, hidden: 0 };

  private constructor(deps: Deps) {
    this.#deps = deps;
  }

  static async start(databaseUrl: string, deps: Omit<Deps, 'db'>): Promise<Live> {
    return new Live({ ...deps, db: await connectDb(databaseUrl, 2) });
  }

  close(): Promise<void> {
    return this.#deps.db.close();
  }

  /** `shift` changes the world while the pages are open. */
  async check(t: ExecutionContext, shift: () => Promise<unknown>): Promise<void> {
    const { db, town, random } = this.#deps;
    await caughtUp(db, liveFollower);
    const callers = random.shuffled(town.users).slice(0, READERS);
    const opened = await Promise.all(callers.map((user) => this.#open(t, { user, face: 'session' })));
    const readers = opened.filter((one) => one !== null);
    for (let n = 0; n < 4; n++) await shift();
    const items = random.shuffled(town.workspaces.flatMap((workspace) => workspace.items)).slice(0, CHANGED);
    const rows = [];
    for (const item of items) rows.push(await this.#change(item));
    await caughtUp(db, liveFollower);
    await this.#reached(readers);
    for (const reader of readers) await this.#judge(t, reader, items);
    // These changes name a user that readers of the workspace may not know.
    await this.#deps.fixtures.sql('delete from changes where id = any($1)', [rows]);
  }

  async #open(t: ExecutionContext, caller: Caller): Promise<Reader | null> {
    const stream = await openLive(this.#deps.baseUrl, credential(caller));
    t.is(stream.status, isAlive(caller) ? 200 : 401, `stream of ${nameOf(caller)}`);
    if (stream.status !== 200) {
      stream.close();
      return null;
    }
    const reader = { caller, stream, place: (await stream.next('hello')).id! };
    // Earlier events may still be on their way.
    await this.#reached([reader]);
    stream.events.length = 0;
    return reader;
  }

  /** Resolves when all open streams have received everything sent so far. */
  async #reached(readers: readonly Reader[]): Promise<void> {
    for (const { caller, stream } of readers.filter((one) => isAlive(one.caller))) {
      const from = stream.events.length;
      await this.#deps.fixtures.sql(`select pg_notify('live', $1)`, [JSON.stringify({ person: caller.user.id })]);
      await stream.next('own', from);
    }
  }

  async #change({ id: itemId }: Item): Promise<number> {
    const [{ id }] = await this.#deps.fixtures.sql(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
       select i.account_id, i.workspace_id, i.id, (select min(u.id) from users u where u.account_id = i.account_id), 'rest', 'item.updated', i.version
       from items i where i.id = $1 returning id::int`,
      [itemId],
    );
    return id;
  }

  async #judge(t: ExecutionContext, { caller, stream, place }: Reader, items: readonly Item[]): Promise<void> {
    const events = stream.events.filter(({ name }) => name === 'changes').map(({ data }) => data);
    const expected = items.filter((item) => isAlive(caller) && sees(caller, item));
    const where = `live page of ${nameOf(caller)}`;
    const ids = (all: readonly number[]) => [...new Set(all)].sort((a, b) => a - b);
    t.deepEqual(ids(events.flatMap(({ items: told }) => told)), ids(expected.map(({ id }) => id)), where);
    t.deepEqual(ids(events.map(({ workspace }) => workspace)), ids(expected.map(({ workspace }) => workspace.id)), where);
    const above = expected.flatMap((item) => item.above.map(({ id }) => id));
    t.true(
      events.every((event) => event.above.every((id: number) => above.includes(id))),
      `${where} names the parents`,
    );
    stream.close();
    const answer = await fetch(`${this.#deps.baseUrl}/live/since?place=${place}`, { headers: credential(caller) });
    t.is(answer.status, isAlive(caller) ? 200 : 401, where);
    if (answer.status === 200) {
      const { changed } = (await answer.json()) as { changed: boolean };
      t.true(changed || expected.length === 0, `${where} polls and gets nothing`);
    }
    this.counts.told += expected.length;
    this.counts.hidden += items.length - expected.length;
  }
}
