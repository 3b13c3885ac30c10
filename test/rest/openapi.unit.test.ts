/** The API document compared with its table of routes. */
import { z } from 'zod';
import { itemTypes } from '../../src/access/rights.ts';
import { Listener } from '../../src/database/listen.ts';
import { applies, fieldNames } from '../../src/items/fields.ts';
import { openapi } from '../../src/rest/openapi.ts';
import { type Route, restRoutes } from '../../src/rest/routes.ts';
import { WebhookMessage } from '../../src/webhooks/schema.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const routes = restRoutes({ secretKey: 'x'.repeat(32), listener: new Listener('not used') });
const limits = { rest: 600, mcp: 300, pages: 600, signIn: 10 };
const home = { baseUrl: 'https://work.acme.test/stint', basePath: '/stint', https: true, limits };
// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into freely
const document: any = JSON.parse(JSON.stringify(openapi(routes, home)));

for (const { method, path, operation, answer, example } of routes) {
  test(`${method} ${path}: its examples match its schemas`, (t) => {
    for (const [name, request] of Object.entries(example.requests)) t.true(operation.input.safeParse(request).success, name);
    t.deepEqual(answer.safeParse(example.answer).error, undefined);
  });

  test(`${method} ${path}: the document has every status, examples and all ways to authenticate`, (t) => {
    const found = document.paths[path][method.toLowerCase()];
    t.is(found.operationId, operation.name);
    t.deepEqual(Object.keys(found.responses), ['200', ...(found.responses[304] ? ['304'] : []), '400', '401', '403', '409', '429', '503']);
    t.deepEqual(found.responses[200].content['application/json'].example, example.answer);
    t.deepEqual(found.security.slice(0, 2), [{ apiKey: [] }, { authorization: [] }]);
    t.deepEqual(found.security[2], method === 'POST' ? { session: [], csrf: [] } : { session: [] });
    if (method === 'POST') t.deepEqual(Object.keys(found.requestBody.content['application/json'].examples), Object.keys(example.requests));
    for (const parameter of found.parameters ?? []) t.true('example' in parameter, parameter.name);
  });
}

test('the document describes webhook messages, with a valid example', (t) => {
  const { requestBody, parameters } = document.webhooks.change.post;
  t.is(WebhookMessage.safeParse(requestBody.content['application/json'].examples.update.value).error, undefined);
  t.deepEqual(
    parameters.map(({ name }: { name: string }) => name),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  );
});

test('every error answer has its code, its example and the headers to act on', (t) => {
  const answers = document.components.responses;
  const codes = Object.values<typeof document>(answers).map(({ headers }) => headers['X-Error-Code']?.schema.const);
  t.deepEqual(codes, ['invalid_request', 'unauthenticated', 'forbidden', 'version_conflict', 'rate_limited', 'unavailable', undefined]);
  t.true(answers.RateLimited.headers['Retry-After'].required && answers.Unavailable.headers['Retry-After'].required);
  t.true(answers.Unauthenticated.headers['WWW-Authenticate'].required);
  t.deepEqual(document.components.schemas.Error.required, ['error']);
});

test('the document lists the required and optional fields of a save, as the service does', (t) => {
  const { WorkInput } = document.components.schemas;
  const { input } = routes.find(({ path }) => path === '/items/save')!.operation;
  const record = { id: 1, version: 1, type: 'task', title: 'T', description: '', status: 'planned', ownerId: null, fields: {} };
  const without = (name: string) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
  const needed = Object.keys(record).filter((name) => !input.safeParse({ workspaceId: 1, record: without(name) }).success);
  t.deepEqual([...WorkInput.required].sort(), needed.sort());
  t.deepEqual(needed.sort(), ['description', 'fields', 'status', 'title', 'type']);
  t.deepEqual(WorkInput.dependentRequired, { id: ['version'], version: ['id'] });
  for (const name of needed) t.true(document.paths['/items/save'].post.description.includes(`\`${name}\``), name);
});

test('the document lists the fields that each type accepts, and the read-only ones', (t) => {
  const { WorkInput, WorkFieldsInput } = document.components.schemas;
  for (const type of itemTypes) {
    const { then: rules } = WorkInput.allOf.find((one: typeof document) => one.if.properties?.type?.const === type);
    const refused = Object.entries<typeof document>(rules.properties.fields.properties).filter(([, rule]) => rule.type === 'null');
    t.deepEqual(
      refused.map(([name]) => name),
      fieldNames.filter((name) => !applies(name, type)),
      type,
    );
  }
  for (const name of fieldNames.filter((one) => !itemTypes.every((type) => applies(one, type)))) {
    const listed = [...WorkFieldsInput.properties[name].description.matchAll(/Only for the type (.*)\./g)].at(-1)![1];
    t.deepEqual(
      [...listed.matchAll(/`(\w+)`/g)].map(([, type]) => type),
      itemTypes.filter((type) => applies(name, type)),
      name,
    );
  }
  const readOnly = Object.keys(WorkFieldsInput.properties).filter((name) => WorkFieldsInput.properties[name].readOnly);
  t.deepEqual(readOnly, ['assigneeName']);
});

test('the document has the rate limits in numbers', (t) => {
  const { info } = openapi(routes, { ...home, limits: { ...limits, rest: 1_234 } });
  t.regex(info.description, /1234 requests a minute for each key, and for all sessions of a person together/);
  t.regex(info.description, /4 operations of a key, or of one person's sessions, at a time/);
});

test('an answer with an ETag declares it, and 304', (t) => {
  t.true(document.paths['/item'].get.responses[200].headers.ETag.required);
  t.is(document.paths['/item'].get.responses[304].$ref, '#/components/responses/NotModified');
  t.is(document.paths['/items'].get.responses[304], undefined);
});

test('objects are closed, and an update may omit fields that an answer always has', (t) => {
  const { Work, WorkFields, WorkInput, WorkFieldsInput } = document.components.schemas;
  for (const schema of [Work, WorkFields, WorkInput, WorkFieldsInput]) t.false(schema.additionalProperties);
  t.is(WorkFieldsInput.required, undefined);
  t.deepEqual(
    Object.keys(WorkFields.properties).filter((name) => !WorkFields.required.includes(name)),
    ['goalId'],
  );
});

test('the server is the public address, or relative to the document with only a local one', (t) => {
  t.is(document.servers[0].url, 'https://work.acme.test/stint/api/v1');
  t.is(openapi(routes, { baseUrl: 'http://localhost:3000', basePath: '', https: false, limits }).servers[0]!.url, '/api/v1');
});

test('a new operation needs only a new row', (t) => {
  const row: Route = {
    ...routes[0]!,
    path: '/hours',
    operation: { name: 'readHours', input: z.strictObject({ from: z.iso.date().optional() }), run: async () => ({ hours: 8 }) },
    answer: z.strictObject({ hours: z.number() }).meta({ id: 'Hours' }),
    example: { requests: { read: { from: '2026-04-13' } }, answer: { hours: 8 } },
  };
  const { paths, components } = openapi([...routes, row], home);
  t.like(paths['/hours'], { get: { operationId: 'readHours', parameters: [{ name: 'from', required: false, example: '2026-04-13' }] } });
  t.deepEqual(components.schemas.Hours!.required, ['hours']);
});

test('two different schemas with the same name are refused', (t) => {
  const answers = ['x', 'y'].map((name) => z.strictObject({ [name]: z.string() }).meta({ id: 'Twin' }));
  const rows = answers.map((answer, index) => ({ ...routes[0]!, path: `/${index}`, answer }));
  t.throws(() => openapi(rows, home), { message: /Twin/ });
});
