/** Text that can't be stored or is too long (behaviour §4.6, §5.6). */
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { asJson, badRequest, type Refusal, refused } from '../support/refusals.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const record = (more: object = {}) => ({ type: 'task', title: 'A task', description: '', status: 'planned', fields: {}, ...more });
const body = (of: object) => ({ workspaceId: world.workspaceId, record: of });
const save = (t: ExecutionContext, text: string | Buffer, refusal: Refusal) =>
  refused(t, world, { method: 'POST', target: '/items/save', headers: asJson(world.key), body: text }, refusal);
const saveJson = (t: ExecutionContext, value: unknown, refusal: Refusal) => save(t, JSON.stringify(value), refusal);

test('bytes that are not UTF-8 are refused', async (t) => {
  const [before, after] = JSON.stringify(body(record({ title: '#' }))).split('#');
  for (const bytes of [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    await save(t, Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)]), badRequest(/UTF-8/));
  }
});

test('NUL and unpaired surrogates are refused in every text', async (t) => {
  for (const [sign, says] of [
    ['\\u0000', /NUL/],
    ['\\ud800', /surrogate/],
    ['\\udc00', /surrogate/],
    ['\\udc00\\ud800', /surrogate/],
  ] as const) {
    const text = (more: object) => JSON.stringify(body(record(more))).replaceAll('#', sign);
    await save(t, text({ title: 'a#b' }), badRequest(says));
    await save(t, text({ description: '#' }), badRequest(says));
    for (const name of ['acceptance', 'blockedReason', 'statusKey', 'priorityKey', 'assigneeName', 'versionLabel', 'unit', 'level']) {
      await save(t, text({ fields: { [name]: 'a#' } }), badRequest(says));
    }
    const comment = JSON.stringify({ workspaceId: world.workspaceId, id: 1, body: 'a#' }).replace('#', sign);
    await refused(t, world, { method: 'POST', target: '/comments', headers: asJson(world.key), body: comment }, badRequest(says));
  }
});

test('text is measured in code points', async (t) => {
  const { workspaceId } = world;
  await saveJson(t, body(record({ title: '😀'.repeat(301) })), badRequest(/^record\.title: /));
  await saveJson(t, body(record({ title: '' })), badRequest(/^record\.title: /));
  await saveJson(t, body(record({ description: 'x'.repeat(50_001) })), badRequest(/^record\.description: /));
  await saveJson(t, body(record({ fields: { acceptance: 'x'.repeat(50_001) } })), badRequest(/^record\.fields\.acceptance: /));
  await saveJson(t, body(record({ type: 'goal', fields: { unit: 'x'.repeat(2_001) } })), badRequest(/^record\.fields\.unit: /));
  for (const text of ['', 'x'.repeat(12_001), '😀'.repeat(12_001)]) {
    const comment = JSON.stringify({ workspaceId, id: 1, body: text });
    await refused(t, world, { method: 'POST', target: '/comments', headers: asJson(world.key), body: comment }, badRequest(/^body: /));
  }
});
