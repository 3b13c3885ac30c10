/** The parts of OpenAPI 3.1 and MCP documents that the reference pages read. Other modules make them from the schemas. */

import { codeBox } from '../frame/components/avatar.ts';
import { markdown } from '../frame/components/markdown.ts';
import { table } from '../frame/components/row.ts';
import { type Content, type Html, html } from '../frame/html.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Body {
  content: { 'application/json': { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> } };
}

export interface Answered extends Partial<Body> {
  $ref?: string;
  description?: string;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answered>;
}

export interface ApiDocument {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: { change: { post: ApiOperation } };
  components: { schemas: Record<string, Schema>; responses: Record<string, Answered> };
}

export interface ToolDocument {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

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
  const { schema, examples = {} } = requestBody!.content['application/json'];
  const shape = schema.$ref ? components.schemas[nameOf(schema.$ref)]! : schema;
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

/** Inlines the schema of the change. */
const withChange = (shape: ApiDocument['components']['schemas'][string], schemas: ApiDocument['components']['schemas']): typeof shape => ({
  ...shape,
  properties: Object.fromEntries(
    Object.entries(shape.properties ?? {}).map(([name, value]) => [name, value.$ref ? (schemas[nameOf(value.$ref)] ?? value) : value]),
  ),
});
