/** Any input gets an answer that the document allows, and never an internal error. */
import fc from 'fast-check';
import { fieldNames } from '../../src/items/fields.ts';
import { fileDatabase } from '../support/database.ts';
import { send } from '../support/refusals.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
  await world.owner.save({ type: 'task', title: 'A task', description: '', status: 'planned', fields: {} });
});
test.after('stop', () => world?.end());

const RUNS = { numRuns: runs(150) };

const names = [
  'workspaceId',
  'record',
  'id',
  'type',
  'title',
  'description',
  'status',
  'version',
  'ownerId',
  'fields',
  'body',
  '__proto__',
];
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('', '\0', '\ud800', '2026-02-30', 'planned', 'task'));
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1, 2 ** 53, -(2 ** 53), 1e308));
const value = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));
const fields = fc.dictionary(fc.constantFrom(...fieldNames, 'constructor'), value, { maxKeys: 4 });
/** Mostly valid, so that deeper rules are reached, too. */
const record = fc.record(
  {
    type: fc.constantFrom('task', 'requirement', 'goal', 'release', 'milestone', 'epic'),
    title: fc.oneof({ weight: 9, arbitrary: fc.constant('A title') }, text),
    description: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, value),
    status: fc.constantFrom('planned', 'blocked', 'done', 'approved', 'pending_approval', 'open'),
    fields: fc.oneof({ weight: 9, arbitrary: fields }, { weight: 9, arbitrary: fc.constant({ blockedReason: null }) }, value),
    id: fc.constantFrom(1, 1, 1, 2, 0, null, '1'),
    version: fc.constantFrom(1, 1, 1, 2, 0, null),
    ownerId: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(1, null) }, value),
  },
  { requiredKeys: ['type', 'title', 'description', 'status', 'fields'] },
);
const anyBody = fc.oneof(
  fc.jsonValue({ maxDepth: 40, stringUnit: 'binary' }),
  fc.dictionary(fc.constantFrom(...names), value),
  fc.record({ workspaceId: fc.constantFrom(1, 1, 1, 2, '1'), record: fc.oneof({ weight: 5, arbitrary: record }, value) }),
  fc.record({ workspaceId: fc.constantFrom(1, 2), id: fc.constantFrom(1, 2, 3), body: text }),
);

async function calm(target: string, method = 'GET', body?: string | Buffer): Promise<boolean> {
  const headers = [['X-API-Key', world.key], ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const])] as const;
  // `send` compares the answer with the document.
  const { status } = await send(world, { target, method, headers, ...(body === undefined ? {} : { body }) });
  return status < 500;
}

test('requests with any JSON as the body get a declared answer', async (t) => {
  const property = fc.asyncProperty(fc.constantFrom('/items/save', '/comments'), anyBody, (path, body) =>
    calm(path, 'POST', JSON.stringify(body)),
  );
  await fc.assert(property, RUNS);
  t.pass();
});

test('requests with nearly valid records get a declared answer', async (t) => {
  const property = fc.asyncProperty(record, (found) =>
    calm('/items/save', 'POST', JSON.stringify({ workspaceId: world.workspaceId, record: found })),
  );
  await fc.assert(property, RUNS);
  t.pass();
});

test('requests with any bytes as the body get a declared answer', async (t) => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: fc.constantFrom(...'{}[]",:0e-\\u \n') }).map(Buffer.from));
  await fc.assert(
    fc.asyncProperty(bytes, (body) => calm('/items/save', 'POST', Buffer.from(body))),
    RUNS,
  );
  t.pass();
});

test('requests with any query get a declared answer', async (t) => {
  const name = fc.oneof(fc.constantFrom('workspaceId', 'id', 'type', 'after', 'limit', '__proto__'), fc.string());
  const part = fc.oneof(fc.nat().map(String), fc.constantFrom('task', '1', '0', '-1'), fc.string({ unit: 'grapheme' }));
  const pairs = fc
    .array(fc.tuple(name, part), { maxLength: 4 })
    .map((all) => all.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
  const printable = fc.string({ unit: fc.constantFrom(...'abcid=&%;+[]0123456789/?:@') });
  const path = fc.constantFrom('/capabilities', '/workspaces', '/items', '/item', '/comments', '/options');
  const property = fc.asyncProperty(path, fc.oneof(pairs, printable), (place, query) => calm(`${place}?${query}`));
  await fc.assert(property, { numRuns: runs(300) });
  t.pass();
});
