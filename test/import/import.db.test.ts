import test from 'ava';
import { fileDatabase } from '../support/database.ts';
import { oneWorkspace, spawnWeb, startWeb, world } from '../support/world.ts';

const database = fileDatabase();

test('a REST key of an imported file opens the items of the file', async (t) => {
  const refs = await world(database.url, oneWorkspace({ items: [{ ref: 't1', type: 'task', title: 'Write' }] }));
  for (const start of [startWeb, spawnWeb]) {
    const web = await start(database.url);
    const answer = await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${refs.id('apollo')}&id=${refs.id('t1')}`, {
      headers: { 'X-API-Key': refs.key('k1') },
    });
    t.is(((await answer.json()) as { title: string }).title, 'Write');
    await web.stop();
  }
});
