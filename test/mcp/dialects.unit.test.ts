/** Input schemas fit the strict dialects of three model vendors, by each vendor's documented rules (behaviour §7.8). */
import { inputSchema } from '../../src/mcp/schemas.ts';
import { tools } from '../../src/mcp/tools.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

type Schema = { [key: string]: unknown };

interface Dialect {
  /** The accepted keywords of JSON Schema. Others are refused. */
  words: readonly string[];
  /** Another fault of a node, or null. */
  fault(node: Schema, depth: number): string | null;
}

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];
const typesOf = ({ type }: Schema): string[] => (Array.isArray(type) ? type : type === undefined ? [] : [type as string]);
const isObject = (node: Schema) => typesOf(node).includes('object');
const isTyped = (node: Schema) =>
  'anyOf' in node ? null : typesOf(node).length && typesOf(node).every((type) => types.includes(type)) ? null : 'every node says its type';
const isClosed = (node: Schema) => (isObject(node) && node.additionalProperties !== false ? 'objects are closed' : null);

const dialects: Record<string, Dialect> = {
  // Structured outputs and strict functions: the client makes all properties required; at most ten levels.
  OpenAI: {
    words: [
      'type',
      'description',
      'enum',
      'const',
      'anyOf',
      'items',
      'properties',
      'required',
      'additionalProperties',
      'pattern',
      'minimum',
    ],
    fault: (node, depth) => isTyped(node) ?? isClosed(node) ?? (depth > 10 ? 'at most ten levels' : null),
  },
  // Strict tool use: no bounds of numbers, texts and lists, and enumerations of plain values.
  Anthropic: {
    words: ['type', 'description', 'enum', 'const', 'anyOf', 'items', 'properties', 'required', 'additionalProperties', 'default'],
    fault: (node) => isTyped(node) ?? isClosed(node) ?? (isPlainEnum(node) ? null : 'enumerations hold plain values'),
  },
  // Function declarations: enumerations of texts, and one type besides null.
  Google: {
    words: ['type', 'description', 'enum', 'anyOf', 'items', 'properties', 'required', 'additionalProperties', 'minimum', 'maximum'],
    fault(node) {
      if (((node.enum ?? []) as unknown[]).some((value) => typeof value !== 'string')) return 'enumerations hold texts';
      if (typesOf(node).filter((type) => type !== 'null').length > 1) return 'one type beside null';
      if (typesOf(node).includes('array') && !node.items) return 'lists say what they hold';
      return isTyped(node);
    },
  },
};

const isPlainEnum = (node: Schema) => ((node.enum ?? []) as unknown[]).every((value) => value === null || typeof value !== 'object');

function faults(node: Schema, dialect: Dialect, at: string, depth = 1): string[] {
  const strange = Object.keys(node).filter((word) => !dialect.words.includes(word));
  const own = [...strange.map((word) => `${word} is not known`), dialect.fault(node, depth)].filter((fault) => fault !== null);
  const properties = Object.entries((node.properties ?? {}) as Record<string, Schema>);
  const missing = ((node.required ?? []) as string[]).filter((name) => !properties.some(([known]) => known === name));
  const below = [
    ...properties.map(([name, child]) => [`${at}.${name}`, child] as const),
    ...(node.items ? [[`${at}[]`, node.items as Schema] as const] : []),
    ...((node.anyOf ?? []) as Schema[]).map((child, n) => [`${at}|${n}`, child] as const),
  ];
  return [
    ...own.map((fault) => `${at}: ${fault}`),
    ...missing.map((name) => `${at}: requires ${name}, which is not there`),
    ...below.flatMap(([name, child]) => faults(child, dialect, name, depth + 1)),
  ];
}

for (const [vendor, dialect] of Object.entries(dialects)) {
  test(`${vendor}: every tool's input is within the strict dialect`, (t) => {
    for (const tool of tools) {
      const schema = inputSchema(tool) as Schema;
      t.is(schema.type, 'object', 'a plain object at the root');
      t.regex(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
      t.deepEqual(faults(schema, dialect, tool.name), []);
    }
  });

  test(`${vendor}: the check finds what the dialect refuses`, (t) => {
    const bad = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 1 }, b: {} },
      required: ['c'],
      additionalProperties: false,
    };
    t.is(faults(bad, dialect, 'x').length, 3);
  });
}

test('descriptions state what schemas omit: defaults and bounds of pages, and fields of only some types', (t) => {
  const of = (name: string) => JSON.stringify(inputSchema(tools.find((tool) => tool.name === name)!));
  for (const word of ['Default open', 'Default me', 'Default 50, at most 100']) t.true(of('svc_find_work').includes(word), word);
  const fields = of('svc_create_items');
  for (const name of ['versionLabel', 'acceptance', 'actualDate', 'parentItemId', 'requirementId', 'reachPeriod']) {
    t.regex(fields, new RegExp(`(not )?(task|requirement|release|milestone)[^:;]*: [^;]*${name}`), name);
  }
});
