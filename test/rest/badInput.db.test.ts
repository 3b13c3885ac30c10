/** Refused bodies, each with its status, the one error format, and nothing changed in the database (behaviour §5.6, §5.7). */
import { gzipSync } from 'node:zlib';
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
  await world.owner.save(record());
});
test.after('stop', () => world?.end());

const MIB = 1024 * 1024;

const record = (more: object = {}) => ({ type: 'task', title: 'A task', description: '', status: 'planned', fields: {}, ...more });
const body = (more: object = {}, of: object = record()) => ({ workspaceId: world.workspaceId, record: of, ...more });

type Headers = readonly (readonly [string, string])[];
const save = (t: ExecutionContext, text: string | Buffer, refusal: Refusal, headers: Headers = asJson(world.key)) =>
  refused(t, world, { method: 'POST', target: '/items/save', headers, body: text }, refusal);
const saveJson = (t: ExecutionContext, value: unknown, refusal: Refusal) => save(t, JSON.stringify(value), refusal);

test('an unknown property is refused by name at every level', async (t) => {
  await saveJson(t, body({ note: 1 }), badRequest(/^note: /));
  await saveJson(t, body({}, record({ note: 1 })), badRequest(/^record\.note: /));
  await saveJson(t, body({}, record({ fields: { note: 1 } })), badRequest(/^record\.fields\.note: /));
});

test('names of built-in object properties are unknown properties like others', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const says = badRequest(new RegExp(name));
    await save(t, JSON.stringify(body()).replace('{', `{"${name}":{"version":1},`), says);
    await save(t, JSON.stringify(body()).replace('"record":{', `"record":{"${name}":{},`), says);
    await save(t, JSON.stringify(body()).replace('"fields":{', `"fields":{"${name}":null`), says);
  }
  t.is(Object.getPrototypeOf({}).version, undefined);
});

test('a missing property is refused by name', async (t) => {
  await saveJson(t, { record: record() }, badRequest(/^workspaceId: is required/));
  await saveJson(t, { workspaceId: world.workspaceId }, badRequest(/^record: is required/));
  for (const name of ['type', 'title', 'description', 'status', 'fields']) {
    await saveJson(t, body({}, record({ [name]: undefined })), badRequest(new RegExp(`^record\\.${name}: is required`)));
  }
});

test('a property of a wrong type is refused by name', async (t) => {
  const wrong: [string, unknown[]][] = [
    ['type', [1, null, 'Task', 'epic', ['task']]],
    ['title', [1, null, {}, [], true]],
    ['description', [1, null, {}]],
    ['status', [1, null, 'open', 'PLANNED']],
    ['ownerId', ['1', {}, true]],
    ['fields', [null, [], 'x', 1]],
    ['id', [null, '1', {}, true]],
    ['version', [null, '1', 1.5]],
  ];
  for (const [name, values] of wrong)
    for (const value of values) await saveJson(t, body({}, record({ [name]: value })), badRequest(new RegExp(`^record\\.${name}: `)));
  const wrongFields: [string, unknown[]][] = [
    ['estimatedHours', ['8', true, {}, -1]],
    ['dueDate', [20260101, '2026-1-1', '2026-02-30', '2026-01-01T00:00:00Z', '']],
    ['reachPeriod', ['2026-Q5', '2026Q1', 2026]],
    ['assigneeId', ['3', 1.5, {}]],
    ['acceptance', [1, {}]],
  ];
  for (const [name, values] of wrongFields)
    for (const value of values)
      await saveJson(t, body({}, record({ fields: { [name]: value } })), badRequest(new RegExp(`^record\\.fields\\.${name}: `)));
});

test('a body that is no object is refused', async (t) => {
  for (const value of [null, 1, 'text', true, [], [body()]]) await saveJson(t, value, badRequest());
});

test('an id is a whole number from 1 to 2^53-1', async (t) => {
  const ids = ['0', '-1', '1.5', '9007199254740992', '9007199254740993', '1e300', '1e999', '"1"', 'null', 'true'];
  for (const id of ids) {
    await save(t, `{"workspaceId":${id},"record":${JSON.stringify(record())}}`, badRequest(/^workspaceId: /));
    await save(t, JSON.stringify(body()).replace('"type"', `"id":${id},"version":1,"type"`), badRequest(/^record\.id: /));
    if (id !== 'null')
      await save(t, JSON.stringify(body()).replace('"fields":{', `"fields":{"releaseId":${id}`), badRequest(/releaseId: /));
  }
});

test("a JSON number that can't be stored is refused", async (t) => {
  for (const number of ['1e999', '-1e999']) {
    await save(t, JSON.stringify(body()).replace('"fields":{', `"fields":{"estimatedHours":${number}`), badRequest(/estimatedHours: /));
  }
});

test('malformed JSON is refused', async (t) => {
  const good = JSON.stringify(body());
  const malformed = [
    '',
    ' ',
    '{',
    good.slice(0, -1),
    `${good}}`,
    `${good}${good}`,
    good.replace('}', ',}'),
    "{'a':1}",
    'NaN',
    'undefined',
    '\ufeff',
  ];
  for (const text of malformed) await save(t, text, badRequest(/JSON/));
});

test('a body may have at most 32 levels', async (t) => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const depth of [33, 34, 1_000, 100_000]) {
    await save(t, nested(depth), badRequest(/32 levels/));
    await save(t, objects(depth), badRequest(/32 levels/));
  }
  await save(t, '['.repeat(100_000), badRequest(/32 levels/));
  await save(t, objects(32), badRequest(/^workspaceId: is required/));
  await saveJson(t, body({ note: '['.repeat(100) }), badRequest(/^note: /));
});

test('a body may have up to 1 MiB, included', async (t) => {
  const padded = (length: number) => JSON.stringify(body({ note: 1 })).padEnd(length, ' ');
  await save(t, padded(MIB), badRequest(/^note: /));
  await save(t, padded(MIB + 1), badRequest(/1 MiB/));
  await save(t, padded(3 * MIB), badRequest(/1 MiB/));
});

test('a chunked body is measured while it arrives', async (t) => {
  const chunked = (text: string) => {
    const half = text.length >> 1;
    return [text.slice(0, half), text.slice(half), ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  };
  const request = (text: string) => ({
    method: 'POST',
    target: '/items/save',
    headers: [...asJson(world.key), ['Transfer-Encoding', 'chunked']] as const,
    body: chunked(text),
    length: null,
  });
  await refused(t, world, request(JSON.stringify(body({ note: 1 }))), badRequest(/^note: /));
  await refused(t, world, request(JSON.stringify(body()).padEnd(MIB + 1, ' ')), badRequest(/1 MiB/));
});

test('a body of another content type is refused', async (t) => {
  const text = JSON.stringify(body());
  const types = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
  ];
  for (const type of [...types, 'application/json; charset=iso-8859-1', 'application/jsonp', 'application/json, text/plain', '']) {
    await save(t, text, badRequest(/^Content-Type: /), [
      ['X-API-Key', world.key],
      ['Content-Type', type],
    ]);
  }
  await save(t, text, badRequest(/^Content-Type: /), [['X-API-Key', world.key]]);
});

test('the content type may be written in its usual variants', async (t) => {
  for (const type of ['application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json; charset="UTF-8"']) {
    await save(t, JSON.stringify(body({ note: 1 })), badRequest(/^note: /), [
      ['X-API-Key', world.key],
      ['Content-Type', type],
    ]);
  }
});

test('a compressed body is refused', async (t) => {
  const zipped = gzipSync(JSON.stringify(body()));
  for (const encoding of ['gzip', 'br', 'deflate']) {
    await save(t, zipped, badRequest(/^Content-Encoding: /), [...asJson(world.key), ['Content-Encoding', encoding]]);
  }
  await save(t, zipped, badRequest(/UTF-8/));
});

test('a POST refuses query parameters', async (t) => {
  const request = { method: 'POST', target: '/items/save?workspaceId=1', headers: asJson(world.key), body: JSON.stringify(body()) };
  await refused(t, world, request, badRequest(/query/));
});
