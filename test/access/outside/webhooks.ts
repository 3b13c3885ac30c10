/** Webhooks of members: each sends what `GET /changes` shows its creator at that moment, and nothing else. No worker sends them: the test
 *  does, between two cases. */
import { createSecretKey } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { sealedText } from '../../../src/changes/cursor.ts';
import { readCursorKey } from '../../../src/changes/queries.ts';
import { connectDb, type Db } from '../../../src/database/db.ts';
import { deliverDue } from '../../../src/webhooks/deliver.ts';
import { webhooksFollower } from '../../../src/webhooks/follower.ts';
import { newSigningSecret, seal } from '../../../src/webhooks/seal.ts';
import type { Random } from '../../chaos/random.ts';
import { caughtUp } from '../../support/following.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import { TEST_SECRET } from '../../support/world.ts';
import type { Faces } from './faces.ts';
import { faultOfRow, isAlive, maySee, reaches, readableKinds } from './rules.ts';
import { type Caller, nameOf, type Town, type Workspace } from './town.ts';

interface Hook {
  id: number;
  maker: Caller;
  workspace: Workspace;
}

const COUNT = 8;

export class Webhooks {
  readonly #town: Town;
  readonly #fixtures: Fixtures;
  readonly #db: Db;
  readonly #receiver: Receiver;
  readonly #hooks: Hook[] = [];
  readonly counts = { sent: 0, rested: 0 };

  private constructor(town: Town, fixtures: Fixtures, db: Db, receiver: Receiver) {
    this.#town = town;
    this.#fixtures = fixtures;
    this.#db = db;
    this.#receiver = receiver;
  }

  static async start(databaseUrl: string, town: Town, fixtures: Fixtures, random: Random): Promise<Webhooks> {
    const webhooks = new Webhooks(town, fixtures, await connectDb(databaseUrl, 2), await startReceiver());
    const members = town.workspaces.flatMap((workspace) => [...workspace.members.keys()].map((user) => ({ workspace, user })));
    for (const { workspace, user } of random.shuffled(members).slice(0, COUNT)) {
      const secret = seal(TEST_SECRET, workspace.id, newSigningSecret());
      const [{ id }] = await fixtures.sql(
        `insert into webhooks (account_id, workspace_id, user_id, url, secret, era, xact, change_id, marked_at)
         select account_id, id, $2, $3, $4, change_era(), pg_snapshot_xmin(pg_current_snapshot()), 0, 'infinity' from workspaces where id = $1
         returning id`,
        [workspace.id, user.id, webhooks.#receiver.url, secret],
      );
      webhooks.#hooks.push({ id: Number(id), maker: { user, face: 'session' }, workspace });
    }
    return webhooks;
  }

  async close(): Promise<void> {
    this.#receiver.close();
    await this.#db.close();
  }

  /** Sends the changes since the last call. */
  async check(t: ExecutionContext, faces: Faces): Promise<void> {
    // Otherwise the worker's follower would mark a webhook that is being sent here.
    await caughtUp(this.#db, webhooksFollower);
    for (const hook of this.#hooks) await this.#checkOne(t, faces, hook);
  }

  async #checkOne(t: ExecutionContext, faces: Faces, { id, maker, workspace }: Hook): Promise<void> {
    const allowed = isAlive(maker) && reaches(maker, workspace) && readableKinds(maker, workspace).length > 0;
    const expected = allowed ? await this.#feed(faces, id, maker, workspace) : [];
    this.#receiver.taken.length = 0;
    await deliverDue(this.#db, id, { keys: { secretKey: TEST_SECRET }, baseUrl: '', privateAddresses: true });
    const where = `webhook of ${nameOf(maker)} in ${workspace.ref}`;
    const bodies = this.#receiver.taken.map(({ body }) => body);
    t.deepEqual(
      bodies.map((body) => JSON.parse(body).data),
      expected,
      where,
    );
    for (const body of bodies) this.#look(t, where, maker, body);
    const [{ rests_because: rests }] = await this.#fixtures.sql('select rests_because from webhooks where id = $1', [id]);
    t.is(rests, allowed ? null : 'maker', where);
    this.counts.sent += bodies.length;
    if (!allowed) this.counts.rested++;
    await this.#fixtures.sql(`update webhooks set rests_since = null, rests_because = null, marked_at = 'infinity' where id = $1`, [id]);
  }

  async #feed(faces: Faces, id: number, maker: Caller, workspace: Workspace): Promise<object[]> {
    const [place] = await this.#fixtures.sql('select era::text, xact::text, change_id::text as id from webhooks where id = $1', [id]);
    const key = createSecretKey(await readCursorKey(this.#db.pool()), 'base64');
    const changes: object[] = [];
    for (let page = { nextAfter: sealedText(key, place), hasMore: true }; page.hasMore; ) {
      const { body } = await faces.rest(maker, 'GET', '/changes', { workspaceId: workspace.id, after: page.nextAfter, limit: 200 });
      changes.push(...body.changes);
      page = body;
    }
    return changes;
  }

  /** Callers who could read an item get its archiving. */
  #look(t: ExecutionContext, where: string, maker: Caller, body: string): void {
    const shown = this.#town.marks
      .in(body)
      .filter((owned) => !(owned.kind === 'item' && owned.item.archived && body.includes('item.archived')))
      .filter((owned) => !maySee(maker, owned, false));
    const fault = faultOfRow(JSON.parse(body).data);
    if (fault) t.fail(`${where}: ${fault} in ${body}`);
    if (shown.length) t.fail(`${where}: shows what it must not: ${shown.map(({ kind }) => kind)} in ${body}`);
  }
}
