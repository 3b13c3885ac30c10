/** Effective access = key ∩ owner's current rights ∩ workspace: random situations against an independent table (behaviour §3.7). */
import fc from 'fast-check';
import pg from 'pg';
import { inAccount, requireWebhookManager, runsWorkspace } from '../../src/access/accountAccessQueries.ts';
import type { Caller } from '../../src/access/caller.ts';
import { bits, type Grant, grants, rightsOfGrants } from '../../src/access/rights.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { listChanges } from '../../src/changes/listChanges.ts';
import { addComment, listComments } from '../../src/comments/addComment.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { duplicateItem } from '../../src/items/duplicateItem.ts';
import { getItem } from '../../src/items/getItem.ts';
import { getItemWithProgressNotes } from '../../src/items/getItemWithProgressNotes.ts';
import { listItems } from '../../src/items/listItems.ts';
import { getRelations, saveRelations } from '../../src/items/relations.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import { moveItems, previewMove } from '../../src/moves/moveItems.ts';
import { JsonText } from '../../src/operations/json.ts';
import type { Operation, Write } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { setSeries, stopSeries } from '../../src/recurring/setSeries.ts';
import { applyTemplate, listTemplates, nameTemplate, removeTemplate, saveTemplate } from '../../src/templates/templates.ts';
import { AppError, CredentialRefused, Forbidden } from '../../src/values/errors.ts';
import { listLabels, saveDescribedLabel } from '../../src/workspaces/labels.ts';
import { listWorkspaces } from '../../src/workspaces/listWorkspaces.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import {
  canRead,
  canWrite,
  couldRead,
  effective,
  hasGrant,
  items,
  type KnownItem,
  kinds,
  levelNames,
  memberLevel,
  type Situation,
  signedIn,
} from './oracle.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let client: pg.Client;
let db: Db;
let accountId: number;
let workspaceId: number;
let labelId: number;
let templateId: number;
let otherPlaceId: number;
const ids = new Map<string, number>();
const caller: Caller = { kind: 'key', hash: hashSecret('the key') };

const insert = async (text: string, values: unknown[]) => Number((await client.query(`${text} returning id`, values)).rows[0].id);

test.before('a workspace with a known set of items, and a user with a key', async () => {
  client = new pg.Client(database.url);
  await client.connect();
  db = await connectDb(database.url, 2);
  accountId = await insert(`insert into accounts (name) values ('Acme')`, []);
  const userId = await insert(`insert into users (account_id, email, name) values ($1, 'ana@acme.example', 'Ana')`, [accountId]);
  workspaceId = await insert(`insert into workspaces (account_id, name) values ($1, 'Apollo')`, [accountId]);
  otherPlaceId = await insert(`insert into workspaces (account_id, name) values ($1, 'Hermes')`, [accountId]);
  await client.query(`insert into rest_keys (account_id, user_id, name, key_hash, rights) values ($1, $2, 'k', $3, 0)`, [
    accountId,
    userId,
    hashSecret('the key'),
  ]);
  for (const item of items) ids.set(item.name, await insertItem(item));
  for (const [n, item] of items.entries()) await insertChanges(item, n * 3);
  labelId = await insert(`insert into labels (account_id, workspace_id, name, color) values ($1, $2, 'Every', 'teal')`, [
    accountId,
    workspaceId,
  ]);
  await client.query('insert into item_labels select account_id, workspace_id, id, $1 from items', [labelId]);
  const template = JSON.stringify([{ type: 'task', title: 'From the template' }]);
  templateId = await insert(`insert into templates (account_id, workspace_id, name, items, needs) values ($1, $2, 'Arranged', $3, $4)`, [
    ...[accountId, workspaceId, template, bits('tasks', 'write')],
  ]);
  // The first item waits for all others.
  await client.query('insert into item_dependencies select account_id, workspace_id, $1, id from items where id <> $1', [
    ids.get(items[0]!.name),
  ]);
});

test.after(async () => {
  await db?.close();
  await client?.end();
});

const linkColumn = (item: KnownItem, above: KnownItem) =>
  above.type === 'release'
    ? 'release_id'
    : above.type === 'requirement'
      ? item.type === 'requirement'
        ? 'parent_id'
        : 'requirement_id'
      : 'parent_item_id';

async function insertItem(item: KnownItem): Promise<number> {
  const links = item.above.map((name) => [linkColumn(item, items.find((one) => one.name === name)!), ids.get(name)] as const);
  return insert(
    `insert into items (account_id, workspace_id, type, title, status, status_key, archived_at ${links.map(([column]) => `, ${column}`).join('')})
     values ($1, $2, $3, $4, 'planned', 'planned', case when $5 then now() end ${links.map(([, id]) => `, ${id}`).join('')})`,
    [accountId, workspaceId, item.type, item.name, item.archived ?? false],
  );
}

/** An id that no comment in this test has. */
const ARRANGED = 999_999;

/** Inserts a creation, a comment and, for an archived item, its archiving, in random order. The creation names a goal and a release. */
async function insertChanges(item: KnownItem, first: number) {
  const fields = { title: [null, item.name], goalId: [null, ids.get('goal')], releaseId: [ids.get('oldRelease'), ids.get('release')] };
  const rows = [
    ['item.created', null, JSON.stringify(fields)],
    ['comment.created', ARRANGED, '{}'],
    ...(item.archived ? [['item.archived', null, '{}']] : []),
  ];
  for (const [n, [kind, commentId, changed]] of rows.entries()) {
    await client.query(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, comment_id, fields, era, xact)
       select i.account_id, i.workspace_id, i.id, u.id, 'page', $2, i.version, $3, $4, 0, $5::text::xid8 from items i, users u where i.id = $1`,
      [ids.get(item.name), kind, commentId, changed, first + n + 1],
    );
  }
}

/** The changes of an item that the table lets the caller read. */
function toldOf(situation: Situation, item: KnownItem): object[] {
  if (!canRead(situation, item))
    return item.archived && couldRead(situation, item) ? [{ id: item.name, kind: 'item.archived', fields: {} }] : [];
  const release = canRead(situation, items.find(({ name }) => name === 'release')!) ? ids.get('release') : null;
  const goal = effective(situation, 'goals') >= 1 ? { goalId: [null, ids.get('goal')] } : {};
  const created = { id: item.name, kind: 'item.created', fields: { title: [null, item.name], ...goal, releaseId: [null, release] } };
  return effective(situation, 'comments') >= 1 ? [created, { id: item.name, kind: 'comment.created', fields: {} }] : [created];
}

const situations: fc.Arbitrary<Situation> = fc.record({
  role: fc.constantFrom('owner', 'manager', 'member', 'viewer'),
  overrides: fc.dictionary(fc.constantFrom(...kinds), fc.constantFrom(...levelNames), { maxKeys: 3 }),
  grants: fc.oneof(
    { weight: 3, arbitrary: fc.subarray([...grants] as string[]) },
    { weight: 2, arbitrary: fc.constant([...grants] as string[]) },
  ),
  isMember: fc.oneof({ weight: 12, arbitrary: fc.constant(true) }, fc.constant(false)),
  userActive: fc.oneof({ weight: 12, arbitrary: fc.constant(true) }, fc.constant(false)),
  key: fc.oneof({ weight: 12, arbitrary: fc.constant('good' as const) }, fc.constantFrom('expired' as const, 'revoked' as const)),
  workspaceArchived: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, fc.constant(true)),
});

/** Items that a case looks at. Each one costs dozens of statements. */
const chosenItems = isThorough ? fc.constant(items) : fc.subarray(items, { minLength: 6, maxLength: 6 });

async function arrange({ role, overrides, grants: given, isMember, userActive, key, workspaceArchived }: Situation) {
  await client.query(
    `with gone as (delete from memberships) update users set active = ${userActive};
     update workspaces set archived_at = ${workspaceArchived ? 'now()' : 'null'};
     update rest_keys set rights = ${rightsOfGrants(given as Grant[])},
       expires_at = ${key === 'expired' ? `now() - interval '1 second'` : 'null'}, revoked_at = ${key === 'revoked' ? 'now()' : 'null'}`,
  );
  if (!isMember) return;
  await client.query(`insert into memberships (account_id, workspace_id, user_id, role, overrides) select $1, $2, id, $3, $4 from users`, [
    accountId,
    workspaceId,
    role,
    JSON.stringify(overrides),
  ]);
}

/** The parsed answer, or the error code. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every kind
async function outcome(operation: Operation<any, any>, input: object, as: Caller = caller): Promise<any> {
  try {
    const result = await perform(db, as, operation, input);
    return result instanceof JsonText ? result.parse() : result;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

class Undo extends Error {}

/** Runs the write and rolls it back: `done`, or the error code. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every kind
async function undone(write: Write<any, any, any>, input: object, as: Caller = caller): Promise<string> {
  try {
    await db.transaction(async (tx) => {
      await write.run(tx, await write.authorize(tx, as, input, { replay: false }), input);
      throw new Undo();
    });
    return 'unreachable';
  } catch (error) {
    if (error instanceof Undo) return 'done';
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('in random situations, reads, lists, writes and comments give exactly what the table says', async (t) => {
  await fc.assert(
    fc.asyncProperty(situations, chosenItems, async (situation, chosen) => {
      await arrange(situation);
      const refused = signedIn(situation) ? 'forbidden' : 'unauthenticated';
      for (const type of ['task', 'requirement', 'goal', 'release', 'milestone'] as const) {
        const page = await outcome(listItems, { workspaceId, type, after: 0, limit: 100 });
        const readable = signedIn(situation) && effective(situation, `${type}s`) >= 1;
        t.deepEqual(
          readable ? page.items.map((item: { title: string }) => item.title) : page,
          readable ? items.filter((item) => item.type === type && canRead(situation, item)).map((item) => item.name) : refused,
        );
      }
      await checkChanges(situation, refused);
      await checkRelations(situation, chosen, refused);
      await checkCopies(situation, chosen, refused);
      await checkMoves(situation, chosen.slice(0, 2));
      for (const item of chosen) await checkItem(situation, item, refused);
    }),
    { numRuns: isThorough ? 150 : 10, endOnFailure: true },
  );
  t.pass();

  /** Labels count what is visible; relations name only that, and a save that changes nothing keeps the rest. */
  async function checkRelations(situation: Situation, chosen: KnownItem[], refused: string) {
    const where = JSON.stringify(situation);
    const types = ['tasks', 'requirements', 'goals', 'releases', 'milestones'] as const;
    const seen = items.filter((item) => canRead(situation, item));
    const found = await outcome(listLabels, { workspaceId });
    const reads = signedIn(situation) && types.some((kind) => effective(situation, kind) >= 1);
    t.deepEqual(reads ? found.labels[0].items : found, reads ? seen.length : refused, `labels ${where}`);
    const manages =
      signedIn(situation) &&
      types.some((kind) => effective(situation, kind) >= 2) &&
      types.every((kind) => situation.grants.includes(`${kind}:write`)) &&
      ['owner', 'manager'].includes(situation.role);
    const renamed = await outcome(saveDescribedLabel, { workspaceId, label: { id: labelId, name: 'Every' } });
    t.deepEqual(manages ? renamed.name : renamed, manages ? 'Every' : refused, `label ${where}`);
    for (const item of chosen) {
      const id = ids.get(item.name)!;
      const visible = signedIn(situation) && canRead(situation, item);
      const told = (all: readonly KnownItem[]) => all.map(({ name }) => ({ id: ids.get(name)!, lagDays: 0 })).sort((a, b) => a.id - b.id);
      const others = item === items[0] ? told(seen.filter(({ name }) => name !== item.name)) : [];
      const blocks = item === items[0] || !canRead(situation, items[0]!) ? [] : told([items[0]!]);
      const relations = await outcome(getRelations, { workspaceId, id });
      t.deepEqual(
        visible ? [relations.labels[0].name, relations.blockedBy, relations.blocks] : relations,
        visible ? ['Every', others, blocks] : refused,
        `${item.name} ${where}`,
      );
      const saved = await outcome(saveRelations, { workspaceId, id, version: 1, labels: [labelId], blockedBy: others });
      const writable = signedIn(situation) && canWrite(situation, item);
      t.deepEqual(writable ? saved.version : saved, writable ? 1 : refused, `save ${item.name} ${where}`);
    }
  }

  /** Duplicates need write of the item, templates also write of tasks, and to make one a managing role; only tasks repeat. */
  async function checkCopies(situation: Situation, chosen: KnownItem[], refused: string) {
    const where = JSON.stringify(situation);
    const usesTasks = signedIn(situation) && effective(situation, 'tasks') >= 2;
    const keeps = usesTasks && ['owner', 'manager'].includes(situation.role);
    const listed = await outcome(listTemplates, { workspaceId });
    t.deepEqual(
      usesTasks ? listed.templates.map(({ name }: Json) => name) : listed,
      usesTasks ? ['Arranged'] : refused,
      `templates ${where}`,
    );
    const used = await undone(applyTemplate, { workspaceId, templateId, title: undefined, start: null, assigneeId: null });
    t.is(used, usesTasks ? 'done' : refused, `template ${where}`);
    t.is(await undone(nameTemplate, { workspaceId, templateId, name: 'Other' }), keeps ? 'done' : refused, `rename ${where}`);
    t.is(await undone(removeTemplate, { workspaceId, templateId }), keeps ? 'done' : refused, `delete ${where}`);
    const along = { below: false, labels: false, dependencies: false };
    for (const item of chosen) {
      const place = { workspaceId, id: ids.get(item.name)! };
      const writable = signedIn(situation) && canWrite(situation, item);
      const at = `${item.name} ${where}`;
      t.is(
        await undone(duplicateItem, { ...place, title: 'T', start: null, people: false, ...along }),
        writable ? 'done' : refused,
        `duplicate ${at}`,
      );
      t.is(
        await undone(saveTemplate, { ...place, name: 'New', templateId: undefined, ...along }),
        keeps && writable ? 'done' : refused,
        `save ${at}`,
      );
      const repeats = writable && item.type === 'task';
      t.is(await undone(setSeries, { ...place, revision: 0, rule: 'FREQ=DAILY', mode: 'day' }), repeats ? 'done' : refused, `repeat ${at}`);
      t.is(await undone(stopSeries, { ...place, revision: 0 }), repeats ? 'done' : refused, `stop ${at}`);
    }
  }

  /** People with delete of everything that moves, hidden or not, may move it; keys never. Two items for each situation. */
  async function checkMoves(situation: Situation, chosen: readonly KnownItem[]) {
    await client.query(`insert into memberships (account_id, workspace_id, user_id, role) select account_id, $1, id, 'owner' from users`, [
      otherPlaceId,
    ]);
    const [{ id: userId }] = (await client.query('select id::integer from users')).rows;
    const person: Caller = { kind: 'user', userId };
    const all = { ...situation, grants: [...grants] as string[] };
    const mayMove = (one: KnownItem) => couldRead(all, one) && memberLevel(situation, `${one.type}s`) >= 3;
    const below = (one: KnownItem): KnownItem[] => {
      const direct = items.filter(({ above }) => above.includes(one.name));
      return [...direct, ...direct.flatMap(below)];
    };
    const commented = new Set((await client.query('select distinct item_id::integer as id from comments')).rows.map(({ id }) => id));
    const readsComments = memberLevel(situation, 'comments') >= 1;
    const mayFollow = (one: KnownItem) => mayMove(one) && (readsComments || !commented.has(ids.get(one.name)!));
    for (const item of chosen) {
      const input = { workspaceId, ids: [ids.get(item.name)!], targetId: otherPlaceId, below: true };
      const at = `move ${item.name} ${JSON.stringify(situation)}`;
      const preview = await outcome(previewMove, input, person);
      const refused = situation.userActive ? 'forbidden' : 'unauthenticated';
      const seen = situation.userActive && canRead(all, item) && mayMove(item);
      t.is(seen ? typeof preview.seen : preview, seen ? 'string' : refused, at);
      const done = await undone(moveItems, { ...input, seen: preview.seen ?? '' }, person);
      t.is(done, !seen ? refused : [item, ...below(item)].every(mayFollow) ? 'done' : 'conflict', at);
      t.is(await outcome(previewMove, input), 'forbidden', `key: ${at}`);
    }
    await client.query('delete from memberships where workspace_id = $1', [otherPlaceId]);
  }

  async function checkChanges(situation: Situation, refused: string) {
    const reads = (['tasks', 'requirements', 'goals', 'releases', 'milestones'] as const).some((kind) => effective(situation, kind) >= 1);
    const allowed = signedIn(situation) && reads && hasGrant(situation, 'workspaces:read');
    const page = await outcome(listChanges, { workspaceId, after: '0', limit: 200 });
    const nameOf = (id: number) => [...ids].find(([, known]) => known === id)?.[0];
    // The assertions of this test compare only the arranged changes.
    const told = page.changes
      ?.filter(({ commentId = ARRANGED }: Json) => commentId === ARRANGED)
      .map(({ itemId, kind, fields }: Json) => ({ id: nameOf(itemId), kind, fields }));
    t.deepEqual(allowed ? told : page, allowed ? items.flatMap((item) => toldOf(situation, item)) : refused, JSON.stringify(situation));
  }

  async function checkItem(situation: Situation, item: KnownItem, refused: string) {
    const where = `${item.name} in ${JSON.stringify(situation)}`;
    const id = ids.get(item.name)!;
    const seen = await outcome(getItem, { workspaceId, id });
    const visible = signedIn(situation) && canRead(situation, item);
    t.is(visible ? seen.title : seen, visible ? item.name : refused, where);
    // A save that changes nothing still needs write access.
    const { title, description, status } = { title: item.name, description: '', status: 'planned' };
    const saved = await outcome(saveItem, {
      workspaceId,
      record: { id, version: 1, type: item.type, title, description, status, fields: {} },
    });
    const writable = signedIn(situation) && canWrite(situation, item);
    t.is(writable ? saved.version : saved, writable ? 1 : refused, `save ${where}`);
    const comments = await outcome(listComments, { workspaceId, id });
    const hears = visible && effective(situation, 'comments') >= 1;
    t.is(hears ? Array.isArray(comments.comments) : comments, hears ? true : refused, `comments ${where}`);
    if (item.name !== 'deepTask') {
      const { history = refused } = await outcome(getItemWithProgressNotes, { id, includeOriginals: false, history: true });
      const own = toldOf(situation, item).map((row) => (row as Json).kind);
      t.deepEqual(visible ? history.map(({ kind }: Json) => kind) : history, visible ? own.reverse() : refused, `history ${where}`);
      return;
    }
    const comment = await outcome(addComment, { workspaceId, id, body: 'Seen.' });
    const speaks = visible && effective(situation, 'comments') >= 2;
    t.is(speaks ? comment.body : comment, speaks ? 'Seen.' : refused, `comment ${where}`);
  }
});

/** Everything allowed. */
const unlimited: Situation = {
  role: 'owner',
  overrides: {},
  grants: [...grants],
  isMember: true,
  userActive: true,
  key: 'good',
  workspaceArchived: false,
};

test('listing workspaces needs workspaces:read and omits archived and left workspaces', async (t) => {
  await arrange(unlimited);
  t.is((await outcome(listWorkspaces, {})).workspaces.length, 1);
  await arrange({ ...unlimited, isMember: false });
  t.deepEqual(await outcome(listWorkspaces, {}), { workspaces: [] });
  await arrange({ ...unlimited, workspaceArchived: true });
  t.deepEqual(await outcome(listWorkspaces, {}), { workspaces: [] });
  await arrange({ ...unlimited, grants: ['tasks:read'] });
  t.is(await outcome(listWorkspaces, {}), 'forbidden');
});

test('no credential of a deactivated user works, also where an import has kept it', async (t) => {
  await arrange(unlimited);
  const { rows } = await client.query('select id from users');
  const userId = Number(rows[0].id);
  await client.query(`insert into connections (account_id, user_id, name, key_hash, rights) values ($1, $2, 'Agent', $3, $4)`, [
    ...[accountId, userId, hashSecret('agent key'), rightsOfGrants([...grants])],
  ]);
  await client.query(`insert into sessions (account_id, user_id, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 day')`, [
    ...[accountId, userId, hashSecret('cookie')],
  ]);
  const callers: Caller[] = [
    caller,
    { kind: 'agent', hash: hashSecret('agent key') },
    { kind: 'session', hash: hashSecret('cookie') },
    { kind: 'user', userId },
  ];
  const answers = () => Promise.all(callers.map((as) => outcome(listWorkspaces, {}, as)));
  for (const { workspaces } of await answers()) t.true(Array.isArray(workspaces));
  await arrange({ ...unlimited, userActive: false });
  t.deepEqual(
    await answers(),
    callers.map(() => 'unauthenticated'),
  );
  await arrange(unlimited);
});

test('administration answers an ended session with 401, and a user without the role with 403', async (t) => {
  await arrange({ ...unlimited, role: 'member' });
  const { rows } = await client.query(`select id from users`);
  const ended: Caller = { kind: 'session', hash: hashSecret('an ended session') };
  const member: Caller = { kind: 'user', userId: Number(rows[0].id) };
  const checks: ((as: Caller) => Promise<unknown>)[] = [
    (as) => inAccount(db.pool(), as, ['owner']),
    (as) => runsWorkspace(db.pool(), as, workspaceId),
    (as) => requireWebhookManager(db.pool(), as, workspaceId),
  ];
  for (const check of checks) {
    await t.throwsAsync(check(ended), { instanceOf: CredentialRefused });
    await t.throwsAsync(check(member), { instanceOf: Forbidden });
  }
});

test('moving a link changes access to every level below at once', async (t) => {
  const base = { ...unlimited, overrides: { releases: 'none' } } as const satisfies Situation;
  await arrange(base);
  const deep = { workspaceId, id: ids.get('milestoneTask')! };
  t.is(await outcome(getItem, deep), 'forbidden');
  await client.query('update items set release_id = null where id = $1', [ids.get('releasedRequirement')]);
  t.is((await outcome(getItem, deep)).title, 'milestoneTask');
  await client.query('update items set release_id = $2 where id = $1', [ids.get('releasedRequirement'), ids.get('release')]);
  t.is(await outcome(getItem, deep), 'forbidden');
});

test('absent, hidden, archived and foreign items get the same error', async (t) => {
  const base = { ...unlimited, overrides: { releases: 'none' } } as const satisfies Situation;
  await arrange(base);
  const otherAccount = await insert(`insert into accounts (name) values ('Other')`, []);
  const otherWorkspace = await insert(`insert into workspaces (account_id, name) values ($1, 'Theirs')`, [otherAccount]);
  const theirs = await insert(
    `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', 'x', 'planned', 'planned')`,
    [otherAccount, otherWorkspace],
  );
  const messages = new Set<string>();
  const places: [number, number][] = [
    [workspaceId, 999_999],
    [workspaceId, ids.get('releaseTask')!],
    [workspaceId, ids.get('archivedTask')!],
    [workspaceId, theirs],
    [otherWorkspace, theirs],
    [999_999, theirs],
  ];
  for (const [ws, id] of places) {
    for (const operation of [getItem, listComments] as const) {
      const error = await t.throwsAsync(perform(db, caller, operation as Operation<unknown, unknown>, { workspaceId: ws, id }), {
        instanceOf: AppError,
      });
      messages.add(error!.message);
    }
  }
  t.is(messages.size, 1);
});
