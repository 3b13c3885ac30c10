/** Changes that wait for a move of their item use the rights in the workspace where it is afterwards (behaviour §42). */
import type { Caller } from '../../src/access/caller.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { deleteComment, editComment, reactToComment } from '../../src/comments/ownComments.ts';
import { removeFile } from '../../src/files/itemFiles.ts';
import { moveItems, previewMove } from '../../src/moves/moveItems.ts';
import { watchItem } from '../../src/notifications/choose.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { eventually } from '../support/eventually.ts';
import { refusal } from '../support/operationWorld.ts';
import { suite } from '../support/suite.ts';
import { movesWorld } from './movesWorld.ts';

const test = suite(import.meta.url);

const moves = movesWorld();
const { sql, act, session } = moves;
const blocked = () => sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

/** A person who is a member of the first workspace only, and an item that someone else moves to the second one. */
async function place() {
  const { fixtures, accountId } = moves.world;
  const [source, target] = [await fixtures.workspace(accountId, 'Source'), await fixtures.workspace(accountId, 'Target')];
  const [mover, userId] = [await fixtures.user(accountId), await fixtures.user(accountId)];
  await fixtures.member(source, mover);
  await fixtures.member(target, mover);
  await fixtures.member(source, userId, 'member');
  const newItem = async () => {
    const [{ id }] = await sql(
      `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', 'T', 'planned', 'planned') returning id`,
      [accountId, source],
    );
    return Number(id);
  };
  const person = await session(userId);
  return { accountId, source, target, mover, userId, person, itemId: await newItem(), otherId: await newItem() };
}
type Place = Awaited<ReturnType<typeof place>>;

/** Moves the item in an open transaction. Returns what commits it, or rolls it back. */
async function holdMove({ source, target, mover, itemId }: Place): Promise<(how: 'commit' | 'roll back') => Promise<void>> {
  const caller: Caller = { kind: 'user', userId: mover };
  const asked = { workspaceId: source, targetId: target, ids: [itemId], below: true };
  const input = { ...asked, seen: (await act(caller, previewMove, asked)).seen };
  const [moved, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<'commit' | 'roll back'>()];
  const undone = new Error('rolled back');
  const transaction = moves.db
    .transaction(async (tx) => {
      await moveItems.run(tx, await moveItems.authorize(tx, caller, input, { replay: false }), input, undefined);
      moved.resolve();
      if ((await decided.promise) === 'roll back') throw undone;
    })
    .catch((error) => error === undone || Promise.reject(error));
  await Promise.race([moved.promise, transaction]);
  return async (how) => {
    decided.resolve(how);
    await transaction;
  };
}

/** What the person has on the item, wherever it is. */
const rowsOf = async ({ itemId }: Place) =>
  (
    await sql(
      `select (select json_agg(c.body) from comments c where c.item_id = $1) as comments,
        (select json_agg(r.reaction) from comment_reactions r join comments c on c.id = r.comment_id where c.item_id = $1) as reactions,
        (select json_agg(f.removed_at) from item_files f where f.item_id = $1) as files,
        (select json_agg(w.watching) from item_watches w where w.item_id = $1) as watches,
        (select count(*) from changes h where h.item_id = $1 and h.kind like 'comment.%') as history`,
      [itemId],
    )
  )[0];

async function comment({ person, source, itemId }: Place): Promise<number> {
  await act(person, addComment, { workspaceId: source, id: itemId, body: 'First text' });
  const [{ id }] = await sql('select id from comments where item_id = $1', [itemId]);
  return Number(id);
}

const reacting = async (at: Place, on: boolean) => {
  const asked = { workspaceId: at.source, id: await comment(at), reaction: 'done' };
  if (!on) await act(at.person, reactToComment, { ...asked, on: true });
  return () => act(at.person, reactToComment, { ...asked, on });
};

/** Prepares a change of the person, then returns it. */
const edits: Record<string, (at: Place) => Promise<() => Promise<unknown>>> = {
  async 'an edited comment'(at) {
    const asked = { workspaceId: at.source, id: await comment(at) };
    return () => act(at.person, editComment, { ...asked, body: 'Second text' });
  },
  async 'a deleted comment'(at) {
    const asked = { workspaceId: at.source, id: await comment(at) };
    return () => act(at.person, deleteComment, asked);
  },
  'a reaction': (at) => reacting(at, true),
  'a reaction taken back': (at) => reacting(at, false),
  async 'a removed file'(at) {
    const [{ id }] = await sql(
      `insert into item_files (account_id, workspace_id, item_id, name, size, type, state, added_by)
       values ($1, $2, $3, 'n', 1, 'image/png', 'ready', $4) returning id`,
      [at.accountId, at.source, at.itemId, at.userId],
    );
    return () => act(at.person, removeFile, { fileId: Number(id) });
  },
  async 'a watch'(at) {
    const asked = { workspaceId: at.source, id: at.itemId };
    await act(at.person, watchItem, { ...asked, watching: false });
    return () => act(at.person, watchItem, { ...asked, watching: true });
  },
};

for (const [name, prepare] of Object.entries(edits)) {
  test(`${name} waits for a move to a workspace without rights, is then refused, and changes nothing`, async (t) => {
    const at = await place();
    const edit = await prepare(at);
    const before = await rowsOf(at);
    const finish = await holdMove(at);
    const refused = refusal(edit());
    t.is((await eventually(blocked, (found) => found.length === 1)).length, 1);
    await finish('commit');
    t.is((await refused).code, 'forbidden');
    t.deepEqual(await rowsOf(at), before);
  });

  test(`${name} waits for a move that is rolled back, and is then saved`, async (t) => {
    const at = await place();
    const edit = await prepare(at);
    const before = await rowsOf(at);
    const finish = await holdMove(at);
    const edited = edit();
    t.is((await eventually(blocked, (found) => found.length === 1)).length, 1);
    await finish('roll back');
    await t.notThrowsAsync(edited);
    t.notDeepEqual(await rowsOf(at), before);
  });
}

test('time is not corrected to an item that moved after the rights were read', async (t) => {
  const at = await place();
  const { entry } = await act(at.person, trackTime, { action: 'log', itemId: at.otherId, minutes: 5, date: '2026-03-02', note: '' });
  const input = trackTime.input.parse({ action: 'correct', entryId: entry.id, revision: 1, reason: 'Wrong item', itemId: at.itemId });
  const corrected = moves.db.transaction(async (tx) => {
    const permit = await trackTime.authorize(tx, at.person, input, { replay: false });
    await (await holdMove(at))('commit');
    await trackTime.run(tx, permit, input, undefined);
  });
  t.is((await refusal(corrected)).code, 'forbidden');
  t.deepEqual(
    await sql('select item_id::integer as item, workspace_id::integer as workspace from time_entries where id = $1', [entry.id]),
    [{ item: at.otherId, workspace: at.source }],
  );
});
