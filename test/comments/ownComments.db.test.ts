/** One's own comments and reactions, when the right ends while a write waits (behaviour §8.11–§8.13). */
import { readCommentPermit, removeComment, reviseComment, saveReaction } from '../../src/comments/ownCommentQueries.ts';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

test('a right to comments that was lowered to reading since the check writes nothing', async (t) => {
  const team = await world.team();
  const id = await world.value(
    `insert into comments (account_id, workspace_id, item_id, author_id, body) values ($1, $2, $3, $4, 'First') returning id`,
    [team.accountId, team.workspaceId, team.itemId, team.userId],
  );
  const permit = await readCommentPermit(world.db.pool(), team.person, team.workspaceId, id);
  await world.rows(`update memberships set overrides = '{"comments": "read"}' where user_id = $1`, [team.userId]);
  for (const write of [
    () => world.db.transaction((tx) => reviseComment(tx, permit, id, 'Second')),
    () => world.db.transaction((tx) => removeComment(tx, permit, id)),
    () => world.db.transaction((tx) => saveReaction(tx, permit, id, 'thanks', true)),
  ])
    await t.throwsAsync(write(), { code: 'forbidden' });
  t.is(await world.value('select body from comments where id = $1', [id]), 'First');
  t.is(await world.value('select count(*) from comment_reactions where comment_id = $1', [id]), 0);
});
