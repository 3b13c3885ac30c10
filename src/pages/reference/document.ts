/** The parts of OpenAPI 3.1 and MCP documents that the reference pages read. Other modules make them from the schemas. */

import { z } from 'zod';
import { codeBox } from '../frame/components/avatar.ts';
import { markdown } from '../frame/components/markdown.ts';
import { table } from '../frame/components/row.ts';
import { type Content, type Html, html } from '../frame/html.ts';

const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return Schema.optional();
  },
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
});
export type Schema = z.infer<typeof Schema>;

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
  example: z.unknown().optional(),
});

const Body = z.object({
  content: z.object({
    'application/json': z.object({
      schema: Schema,
      example: z.unknown().optional(),
      examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
    }),
  }),
});

const Answered = Body.partial().extend({ $ref: z.string().optional(), description: z.string().optional() });
export type Answered = z.infer<typeof Answered>;

const ApiOperation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(Parameter).optional(),
  requestBody: Body.optional(),
  responses: z.record(z.string(), Answered),
});
export type ApiOperation = z.infer<typeof ApiOperation>;

export const ApiDocument = z.object({
  info: z.object({ version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), ApiOperation)),
  webhooks: z.object({ change: z.object({ post: ApiOperation.extend({ requestBody: Body }) }) }),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Answered) }),
});
export type ApiDocument = z.infer<typeof ApiDocument>;

export const ToolDocuments = z.array(
  z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    inputSchema: Schema,
    outputSchema: Schema,
    annotations: z.object({ readOnlyHint: z.boolean(), destructiveHint: z.boolean() }),
  }),
);
export type ToolDocument = z.infer<typeof ToolDocuments>[number];

export interface Reference {
  api(): object;
  tools(): object[];
  /** The MCP server's instructions for clients. */
  instructions: string;
  /** A tool's value as agents get it. */
  answerToAgent(value: object): object;
}

export interface Called {
  method: string;
  /** Below /api/v1. */
  path: string;
  operation: ApiOperation;
}

/** In document order. */
export const operationsOf = ({ paths }: ApiDocument): Called[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The last part of a `$ref`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

// A JSON Schema as a table with one row per value. Nested values show their path (`fields.dueDate`, `items[].id`).

/** "integer or null", "list of Work", "date". Named schemas are links. */
export function typeWords(schema: Schema): Content {
  if (schema.$ref) return html`<a href="#shape-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return alternatives(schema.enum.map((value) => html`<code>${value === null ? 'null' : String(value)}</code>`));
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return alternatives(several.map(typeWords));
  const types = [schema.type ?? 'any'].flat();
  return alternatives(
    types.map((type) =>
      type === 'array' && schema.items ? ['list of ', typeWords(schema.items)] : type === 'string' && schema.format ? schema.format : type,
    ),
  );
}

const alternatives = (all: readonly Content[]): Content => all.map((one, at) => [at > 0 && (at === all.length - 1 ? ' or ' : ', '), one]);

function bounds({ minimum, maximum, maxLength, maxItems, default: standard }: Schema): string {
  // Hide the range of ids, because it is the range of safe integers.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return [
    most !== undefined && minimum !== undefined && `${minimum} to ${most}`,
    most !== undefined && minimum === undefined && `up to ${most}`,
    maxLength !== undefined && `up to ${maxLength.toLocaleString('en')} characters`,
    maxItems !== undefined && `up to ${maxItems} entries`,
    standard !== undefined && `${JSON.stringify(standard)} unless given`,
  ]
    .filter(Boolean)
    .join('; ');
}

export interface Row {
  name: string;
  schema: Schema;
  required: boolean;
}

/** Rows of an object and its unnamed nested objects and lists. */
export function rowsOf({ properties = {}, required = [] }: Schema, before = ''): Row[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.items ?? schema;
    const path = before + name;
    const below = inner.$ref || !inner.properties ? [] : rowsOf(inner, `${path}${schema.items ? '[]' : ''}.`);
    return [{ name: path, schema, required: required.includes(name) }, ...below];
  });
}

const columns = [{ label: 'Name' }, { label: 'Type' }, { label: 'Description' }];

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** `marked`: label required values. Not for answers, which always have all values. */
export function schemaTable(caption: string, rows: readonly Row[], marked: boolean): Html {
  return table(
    { caption, columns, class: 'shape' },
    rows.map(({ name, schema, required }) => [
      html`<code>${name}</code>${marked && required && html` <span class="meta">required</span>`}`,
      typeWords(schema),
      [sentence(schema.description ?? ''), ' ', sentence(bounds(schema))],
    ]),
  );
}

/** Webhook payloads, verification and retries (behaviour §16). */
export const webhookLinks: Html = html`<ul><li><a href="#sent">Messages</a></li><li><a href="#verify">Verify</a></li><li><a href="#answer">Respond</a></li><li><a href="#instead">Polling</a></li></ul>`;

const verify = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook('whsec_…');
// The body as it came, before any parsing.
const message = webhook.verify(rawBody, request.headers);`;

export function webhooksPart({ webhooks, components }: ApiDocument): Html {
  const { description, parameters = [], requestBody, responses } = webhooks.change.post;
  const { schema, examples = {} } = requestBody.content['application/json'];
  const shape = resolved(schema, components.schemas);
  const [example] = Object.values(examples);
  return html`<section id="sent"><h2>Messages</h2>${markdown(description)}
<h3>Headers</h3>${schemaTable(
    'Headers',
    parameters.map(({ name, description: words = '', schema: type }) => ({
      name,
      required: true,
      schema: { ...type, description: words },
    })),
    false,
  )}
<h3>Body</h3>${schemaTable('Fields of the body', rowsOf(withChange(shape, components.schemas)), false)}
${example && html`<pre class="example" tabindex="0" role="region" aria-label="Example"><code>${JSON.stringify(example.value, null, 2)}</code></pre>`}</section>
<section id="verify"><h2>Verify</h2><p>With any library for Standard Webhooks; in JavaScript:</p>${codeBox('verify-code', verify, 'to verify a message')}
<p>Refuse messages with a <code>webhook-timestamp</code> older than five minutes. Process each <code>webhook-id</code> once, because retries repeat it.</p></section>
<section id="answer"><h2>Respond</h2><ul>${Object.entries(responses).map(
    ([status, answered]) => html`<li><code>${status}</code>: ${answered.description}</li>`,
  )}</ul></section>
<section id="instead"><h2>Polling</h2><p>Without a public URL, poll <code>GET /changes</code> for the same messages in the same order.</p></section>`;
}

type Schemas = Record<string, Schema>;

/** The schema itself, or the one that it names. */
export const resolved = (schema: Schema, schemas: Schemas): Schema => (schema.$ref ? (schemas[nameOf(schema.$ref)] ?? schema) : schema);

/** Inlines the schema of the change. */
const withChange = (shape: Schema, schemas: Schemas): Schema => ({
  ...shape,
  properties: Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, value]) => [name, resolved(value, schemas)])),
});
