/** The tool list: order, names, size and the format that strict model vendors accept (behaviour §7.7, §7.8). */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { encode } from 'gpt-tokenizer';
import { fieldsWith } from '../../src/items/fields.ts';
import { listedTool } from '../../src/mcp/adapter.ts';
import { isWrite, tools } from '../../src/mcp/tools.ts';
import { instructions } from '../../src/mcp/words.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

type Schema = { [key: string]: unknown };
const list = tools.map(listedTool);
const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

test('the sixteen tools have a fixed order', (t) => {
  t.deepEqual(
    list.map(({ name }) => name),
    [
      'svc_context',
      'svc_find_work',
      'svc_get_item',
      'svc_create_items',
      'svc_update_item',
      'svc_update_items',
      'svc_add_note',
      'svc_remove_item',
      'svc_my_time',
      'svc_time',
      'svc_plan_block',
      'svc_personal_notes_list',
      'svc_personal_notes_get',
      'svc_personal_notes_create',
      'svc_personal_notes_update',
      'svc_personal_notes_delete',
    ],
  );
});

test('names, descriptions and inputs take at most 4,000 tokens, everything at most 7,000', (t) => {
  const [core, all] = [
    tokens(list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    tokens({ tools: list }),
  ];
  t.true(core <= 4_000, `${core}`);
  t.true(all <= 7_000, `${all}`);
});

test('at most two schemas list all fields; that of svc_update_items lists the fields of rows', (t) => {
  const copies: string[][] = [];
  for (const { inputSchema } of list) {
    walk(inputSchema, ({ properties = {} }) => {
      const { fields } = properties as { fields?: { properties?: Schema } };
      if (fields?.properties) copies.push(Object.keys(fields.properties));
    });
  }
  const all = Math.max(...copies.map(({ length }) => length));
  t.is(copies.filter(({ length }) => length === all).length, 2);
  const { items } = list.find(({ name }) => name === 'svc_update_items')!.inputSchema.properties as { items: { items: Schema } };
  const { fields } = items.items.properties as { fields: { properties: Schema } };
  t.deepEqual(Object.keys(fields.properties), fieldsWith('inRows'));
});

test('tools that check a version or revision accept the one read last, in any answer', (t) => {
  for (const { name, description, inputSchema } of list) {
    t.notRegex(description, /call it before/i, name);
    const { version, revision } = inputSchema.properties as Schema;
    if (version ?? revision) t.regex(description, /you read last, in any answer/, name);
  }
});

test('the texts answer what assistants asked about links, forecasts, archiving and time', (t) => {
  const text = (name: string) => {
    const { description, inputSchema } = list.find((tool) => tool.name === name)!;
    return `${description} ${JSON.stringify(inputSchema)}`;
  };
  t.regex(text('svc_find_work'), /dueFrom and dueTo are included/);
  t.regex(text('svc_find_work'), /Linked directly to this release; underId finds all below it/);
  t.regex(text('svc_find_work'), /All words must occur.*quoted phrase.*a or b/);
  t.regex(text('svc_create_items'), /Work below a requirement belongs to that requirement's release unless it has its own releaseId/);
  t.regex(text('svc_get_item'), /forecastDate is .*bufferedDate allows for .*outlook compares /);
  t.regex(text('svc_remove_item'), /people can restore it.*stay visible, set status cancelled/);
  t.regex(text('svc_time'), /open or closed items/);
  t.regex(text('svc_plan_block'), /remindMinutes before the start: 0 to 120, default 10.*5 minutes before the end/);
  t.regex(text('svc_personal_notes_update'), /Default: unchanged.*list items join a list/);
});

test('the instructions have at most 1,000 characters', (t) => {
  t.true(instructions.length <= 1_000, `${instructions.length}`);
});

for (const tool of list) {
  test(`${tool.name}: a plain object at the root, closed at every level, without references`, (t) => {
    const { inputSchema } = tool as { inputSchema: Schema };
    t.is(inputSchema.type, 'object');
    for (const word of ['$schema', 'oneOf', 'anyOf', 'allOf', '$ref', '$defs']) t.false(word in inputSchema, word);
    walk(inputSchema, (node) => {
      t.false('$ref' in node);
      if (node.type === 'object') t.is(node.additionalProperties, false);
      if (node.type === 'array') t.truthy(node.items);
    });
    new Ajv2020({ strict: true, allowUnionTypes: true, formats: { uuid: true, date: true, 'date-time': true } }).compile(inputSchema);
  });

  test(`${tool.name}: hints distinguish reads, writes and removals`, (t) => {
    const write = isWrite(tools.find(({ name }) => name === tool.name)!);
    t.is(tool.annotations.readOnlyHint, !write);
    t.true(tool.annotations.idempotentHint);
    t.false(tool.annotations.openWorldHint);
    if (!write) t.false(tool.annotations.destructiveHint);
    t.is(((tool.inputSchema.required ?? []) as string[]).includes('requestId'), write);
    t.true(tool.title.length > 0 && tool.description.length > 20);
  });

  test(`${tool.name}: a result is an object without required fields, errors included`, (t) => {
    const schema = tool.outputSchema as Schema;
    t.is(schema.type, 'object');
    t.true('error' in (schema.properties as Schema));
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    t.true(validate({ error: { code: 'forbidden', message: 'No.', retryable: false } }));
  });
}

function walk(node: unknown, visit: (node: Schema) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties, items, ...rest } = node as Schema;
  visit(node as Schema);
  for (const child of Object.values((properties ?? {}) as Schema)) walk(child, visit);
  walk(items, visit);
  for (const key of ['oneOf', 'anyOf', 'allOf']) for (const child of (rest[key] ?? []) as unknown[]) walk(child, visit);
}
