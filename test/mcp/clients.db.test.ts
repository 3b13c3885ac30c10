/** A day of work with real MCP clients, with tools only. */
import { tools } from '../../src/mcp/tools.ts';
import { fileDatabase } from '../support/database.ts';
import { clients } from '../support/mcpClients.ts';
import { type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

for (const [name, connect] of Object.entries(clients)) {
  test(`${name}: an agent completes a day of work`, async (t) => {
    const { fixtures, accountId, workspaceId } = world;
    const userId = await fixtures.user(accountId);
    await fixtures.member(workspaceId, userId);
    const client = await connect(await world.agentOf(userId));
    t.deepEqual(
      await client.toolNames(),
      tools.map((tool) => tool.name),
    );
    const context = await client.call('svc_context', {});
    t.is(context.workspaces[0].id, workspaceId);

    const requirements = await client.call('svc_create_items', once({ workspaceId, items: [{ type: 'requirement', title: 'Search' }] }));
    const requirementId = requirements.items[0].id;
    const items = ['Index', 'Query', 'Page'].map((title) => ({ type: 'task', title, fields: { requirementId, assigneeId: userId } }));
    const { items: made } = await client.call('svc_create_items', once({ workspaceId, items }));
    t.is((await client.call('svc_find_work', { requirementId })).items.length, 3);
    const [{ id: first }, { id: second }] = made;

    const stale = await client.call('svc_update_item', once({ id: first, version: 7, status: 'in_progress' }));
    t.like(stale.error, { code: 'conflict', currentVersion: 1 });
    const { item } = await client.call('svc_get_item', { id: first });
    const updated = await client.call('svc_update_item', once({ id: first, version: item.version, status: 'in_progress' }));
    t.is(updated.item.status, 'in_progress');
    t.is((await client.call('svc_add_note', once({ id: first, body: 'Half of it is there.' }))).note.itemId, first);

    const { entry } = await client.call('svc_time', once({ action: 'start', itemId: first }));
    const stopped = await client.call('svc_time', once({ action: 'stop', entryId: entry.id, revision: entry.revision }));
    t.is(stopped.entry.id, entry.id);
    const date = new Date().toISOString().slice(0, 10);
    const { entry: logged } = await client.call('svc_time', once({ action: 'log', itemId: second, date, minutes: 30 }));
    const correction = { action: 'correct', entryId: logged.id, revision: logged.revision, reason: 'Miscounted', minutes: 20 };
    t.is((await client.call('svc_time', once(correction))).entry.minutes, 20);
    t.is((await client.call('svc_my_time', { period: 'day', date })).totalMinutes, 20);

    const plan = { action: 'create', itemId: second, startLocal: '2031-03-03T09:00', endLocal: '2031-03-03T11:00' };
    const { block } = await client.call('svc_plan_block', once(plan));
    t.is((await client.call('svc_plan_block', once({ action: 'cancel', blockId: block.id }))).block.state, 'cancelled');

    t.true((await client.call('svc_remove_item', once({ id: second, version: 1 }))).archived);
    const receipt = await client.call('svc_personal_notes_create', once({ html: '<p>Ask about paging</p>' }));
    t.is((await client.call('svc_personal_notes_get', { id: receipt.id })).html, '<p>Ask about paging</p>');
    t.is((await client.call('svc_get_item', { id: 999_999 })).error.code, 'forbidden');
    await client.close();
  });
}
