/** A client that knows only the published document never gets a 400 (behaviour §5.22). Values come from the schemas, or from the endpoint
 *  that a description names. Rules that exist only in words are implemented here. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { grants } from '../../src/access/rights.ts';
import { isDate } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { type Client, clientOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { isThorough, runs } from '../support/thorough.ts';
import { valuesOf } from '../support/valuesOf.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: schemas and answers are JSON, looked into freely
type Json = any;
type Draw = fc.GeneratorValue;

/** Items of a type to choose from. */
const MOST_ITEMS = 8;
const settings = (thorough: number) => ({ numRuns: runs(thorough), endOnFailure: true });

const database = fileDatabase();
let world: RestWorld;
let client: Client;
let document: Json;
let isValid: (schema: Json, value: unknown) => boolean;

test.before('a workspace with its own statuses, and people', async () => {
  world = await restWorld(database.url, { RATE_LIMIT_REST: '1000000' });
  ({ document } = world.api);
  client = world.owner;
  const { accountId, workspaceId, fixtures } = world;
  await fixtures.sql(`update statuses set types = '{requirement,release}' where status = 'in_review'`);
  await fixtures.sql(
    `insert into statuses (account_id, workspace_id, key, label, types, status, position)
     values ($1, $2, 'doing', 'Doing', '{task,goal}', 'in_progress', 0)`,
    [accountId, workspaceId],
  );
  for (const role of ['member', 'viewer']) await world.join(role);
  const ajv = new Ajv2020({ strict: false, formats: { date: isDate, uuid: true, int64: true } });
  const inAjv = (schema: Json) => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'https://api.test/#/$defs/'));
  ajv.addSchema({ $id: 'https://api.test/', $defs: inAjv(document.components.schemas) });
  isValid = (schema, value) => ajv.validate(inAjv(schema), value);
});
test.after('stop', () => world?.end());

const resolved = (schema: Json): Json => (schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema);
const bodyOf = (path: string): Json => resolved(document.paths[path].post.requestBody.content['application/json'].schema);
const inWords = ({ description = '' }: Json, rule: RegExp): string[] => {
  const found = rule.exec(description);
  if (!found) throw new Error(`The document does not say ${rule}: ${description}`);
  return found;
};

/** The current answers of the endpoints that descriptions name. */
async function known() {
  const workspaceId = (await client.get('/workspaces')).body.workspaces[0].id;
  const options = (await client.get('/options')).body;
  const items: Json[] = [];
  for (const type of document.components.schemas.WorkInput.properties.type.enum) {
    items.push(...(await client.get('/items', { type, limit: MOST_ITEMS })).body.items);
  }
  return { workspaceId, options, items };
}
type Known = Awaited<ReturnType<typeof known>>;

/** Possible values from the endpoint that the description names. Null if the schema alone decides. */
function choicesOf(schema: Json, head: Json, { options, items }: Known): unknown[] | null {
  const { description = '' } = schema;
  if (/`assignees` of GET \/options/.test(description)) return options.assignees.map(({ id }: Json) => id);
  if (/`priorities` of GET \/options/.test(description)) return options.priorities.map(({ key }: Json) => key);
  const ofType = options.statuses.filter(({ types }: Json) => types.includes(head.type));
  if (/^A `status` that `statuses` of GET \/options lists for the type/.test(description)) return ofType.map(({ status }: Json) => status);
  if (/`statuses` of GET \/options with this type and `status`/.test(description))
    return ofType.filter(({ status }: Json) => status === head.status).map(({ key }: Json) => key);
  if (!/GET \/items/.test(description)) return null;
  const [words] = inWords(schema, /with the (?:same )?type[^.]*/);
  const types = words!.includes('same') ? [head.type] : [...words!.matchAll(/`(\w+)`/g)].map(([, type]) => type);
  // "Links … form no cycle": to older items only.
  return items.filter(({ id, type }) => types.includes(type) && id < (head.id ?? Number.POSITIVE_INFINITY)).map(({ id }) => id);
}

/** The properties of `fields` for a record that begins like `head`, by the conditions of the document. */
function fieldsFor(schema: Json, head: Json): { properties: Record<string, Json>; required: string[] } {
  const properties = { ...resolved(schema.properties.fields).properties };
  const required: string[] = [];
  for (const { if: condition, then: rules } of schema.allOf) {
    if (!isValid(condition, head) || !rules.properties.fields) continue;
    for (const [name, rule] of Object.entries<Json>(rules.properties.fields.properties))
      properties[name] = { ...properties[name], ...rule };
    required.push(...(rules.properties.fields.required ?? []));
  }
  return { properties, required };
}

async function recordOf(draw: Draw, found: Known): Promise<Json> {
  const schema = document.components.schemas.WorkInput;
  const some = (name: string) => draw(valuesOf, schema.properties[name]);
  const stored = found.items.length > 0 && draw(fc.boolean) ? draw(fc.constantFrom, ...found.items) : null;
  const { body: read } = stored ? await client.get('/item', { id: stored.id }) : { body: null };
  // "Never changes: an update repeats it."
  const type = read?.type ?? some('type');
  const head = { ...(read && { id: read.id, version: read.version }), type };
  const status = draw(fc.constantFrom, ...choicesOf(schema.properties.status, head, found)!);
  const { properties, required } = fieldsFor(schema, { ...head, status });
  const fields: Json = {};
  for (const [name, property] of Object.entries(properties)) {
    if (property.readOnly || (!required.includes(name) && draw(fc.boolean))) continue;
    const choices = property.type === 'null' ? null : choicesOf(property, { ...head, status }, found);
    const value = choices ? draw(fc.constantFrom, null, ...choices) : draw(valuesOf, property);
    if (choices?.length === 0 || (value === null && required.includes(name))) continue;
    fields[name] = value;
  }
  return keepWords(
    {
      ...head,
      title: some('title'),
      description: some('description'),
      status,
      fields,
      ownerId: draw(fc.constantFrom, null, ...choicesOf(schema.properties.ownerId, head, found)!),
    },
    read,
    properties,
  );
}

/** Rules about several values that exist only in words. */
function keepWords(record: Json, read: Json, properties: Record<string, Json>): Json {
  const { fields } = record;
  inWords(properties.blockedReason ?? {}, /Required with the status `blocked`; null with any other\./);
  if (record.status === 'blocked') fields.blockedReason ??= 'Rain';
  else delete fields.blockedReason;
  const [, due, target] = inWords(properties.startDate, /^Not after `(\w+)` or `(\w+)`/);
  const after = { ...read?.fields, ...fields };
  if ([due, target].some((end) => after[end!] && after.startDate > after[end!])) fields.startDate = null;
  return record;
}

test('rules that no schema can express are in words', (t) => {
  const { WorkInput, WorkFieldsInput } = document.components.schemas;
  for (const [place, words] of [
    [document.info, /no NUL character and no unpaired surrogate; lengths count code points/],
    [document.info, /Dates are days from 0001-01-01 to 9999-12-31/],
    [WorkFieldsInput, /Numbers other than 0 are at least 0\.000001 in amount/],
    [WorkInput, /Links stay in the workspace, form no cycle and are at most 100 levels deep/],
    [WorkInput.properties.type, /Never changes: an update repeats it/],
    [WorkInput.properties.id, /The item to update\. Leave it out to create/],
    [WorkInput.properties.version, /The current version/],
    [bodyOf('/items/save').properties.workspaceId, /from GET \/workspaces/],
    [bodyOf('/comments').properties.workspaceId, /from GET \/workspaces/],
    [bodyOf('/comments').properties.id, /from GET \/items/],
  ] as const) {
    t.regex(place.description, words);
  }
});

test('random records that the document allows are saved, or need an approval, which the document says is given elsewhere', async (t) => {
  const schema = bodyOf('/items/save');
  const seen = new Set<string>();
  const found = await known();
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const record = await recordOf(draw, found);
      const body = { workspaceId: found.workspaceId, record };
      if (!isValid(schema, body)) throw new Error(`The document does not allow ${JSON.stringify(body)}`);
      const { status, body: answer } = await client.post('/items/save', body);
      const step = found.options.statuses.some((one: Json) => one.approval && one.status === record.status);
      if (status !== (step ? 403 : 200)) throw new Error(`${status} ${JSON.stringify(answer)} to ${JSON.stringify(body)}`);
      if (step) return;
      if (!record.id && found.items.filter(({ type }) => type === record.type).length < MOST_ITEMS) found.items.push(answer);
      seen.add(`${record.id ? 'update' : 'create'} ${record.type}`).add(record.status);
      for (const [name, value] of Object.entries(record.fields)) if (value !== null) seen.add(name);
    }),
    settings(200),
  );
  t.true(seen.size > 0);
  if (!isThorough) return;
  const { properties } = document.components.schemas.WorkFieldsInput;
  const { type } = document.components.schemas.WorkInput.properties;
  const wanted = [
    ...Object.keys(properties).filter((name) => !properties[name].readOnly),
    ...type.enum.flatMap((one: string) => [`create ${one}`, `update ${one}`]),
    ...['planned', 'in_progress', 'blocked', 'in_review', 'done', 'cancelled'],
  ];
  t.deepEqual(
    wanted.filter((one) => !seen.has(one)),
    [],
    'every field, type and status was sent',
  );
});

test('random comments that the document allows are saved', async (t) => {
  const schema = bodyOf('/comments');
  const item = await world.make('task');
  await fc.assert(
    fc.asyncProperty(valuesOf(schema.properties.body), async (text) => {
      const { status, body } = await client.post('/comments', { id: item.id, body: text });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} to ${JSON.stringify(text)}`);
    }),
    settings(50),
  );
  t.pass();
});

/** Values for the parameters of a query, from the sources in their descriptions. */
async function queryOf(draw: Draw, parameters: Json[], { workspaceId, items }: Known): Promise<Record<string, string | number>> {
  const item = draw(fc.constantFrom, ...items);
  const read = async (description: string): Promise<unknown[] | null> => {
    if (/from GET \/workspaces/.test(description)) return [workspaceId];
    if (/from GET \/items/.test(description)) return [item.id];
    if (/of this item, from an earlier page/.test(description))
      return (await client.get('/comments', { id: item.id })).body.comments.map(({ id }: Json) => id);
    if (/`nextAfter` of the previous page. `0` starts/.test(description))
      return ['0', 'latest', (await client.get('/changes')).body.nextAfter];
    return null;
  };
  const query: Record<string, string | number> = {};
  for (const { name, in: place, required, schema, description = '' } of parameters) {
    if (place !== 'query' || (!required && draw(fc.boolean))) continue;
    const choices = await read(description);
    if (choices?.length !== 0)
      query[name] = (choices ? draw(fc.constantFrom, ...choices) : draw(valuesOf, { ...schema, description })) as string | number;
  }
  return query;
}

test('random queries that the document allows succeed', async (t) => {
  const item = await world.make('task');
  for (const body of ['One', 'Two']) await client.post('/comments', { id: item.id, body });
  // A forecast needs a worker. Without the grant the answer is 403, after the query was validated.
  const withoutCapacity = clientOf(
    world.api,
    await world.fixtures.key(
      world.ownerId,
      grants.filter((one) => one !== 'capacity:read'),
    ),
    world.workspaceId,
  );
  const paths = Object.keys(document.paths).filter((path) => document.paths[path].get);
  const found = await known();
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom(...paths), async (draw, path) => {
      const query = await queryOf(draw, document.paths[path].get.parameters ?? [], found);
      const { status, body } = await (path === '/capacity' ? withoutCapacity : client).get(path, query);
      if (status !== (path === '/capacity' ? 403 : 200))
        throw new Error(`${status} ${JSON.stringify(body)} to ${path} ${JSON.stringify(query)}`);
    }),
    settings(100),
  );
  t.pass();
});
