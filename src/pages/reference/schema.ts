/** A JSON Schema as a table with one row per value. Nested values show their path (`fields.dueDate`, `items[].id`). */
import { table } from '../frame/components/table.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { nameOf, type Schema } from './document.ts';

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
    maxItems !== undefined && `up to ${maxItems} of them`,
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
