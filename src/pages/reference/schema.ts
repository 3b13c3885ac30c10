/** JSON Schema as a table that people read: one row for each value, those within others by their path (`fields.dueDate`, `items[].id`). */
import { table } from '../frame/components/table.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { nameOf, type Schema } from './document.ts';

/** What a value is: "integer or null", "list of Work", "date". Shapes with a name lead to where they are described. */
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

/** "1 to 100", "up to 300 characters", "1 unless given". */
function bounds({ minimum, maximum, maxLength, maxItems, default: standard }: Schema): string {
  // Ids begin at 1 and end where integers do: nobody is helped by that.
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

/** The values of an object, and of objects and lists of objects in it that have no name of their own. */
export function rowsOf({ properties = {}, required = [] }: Schema, before = ''): Row[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.items ?? schema;
    const path = before + name;
    const below = inner.$ref || !inner.properties ? [] : rowsOf(inner, `${path}${schema.items ? '[]' : ''}.`);
    return [{ name: path, schema, required: required.includes(name) }, ...below];
  });
}

const columns = [{ label: 'Name' }, { label: 'Type' }, { label: 'What it is' }];

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** `marked`: whether what has to be given says so. Answers have all that is named, unless told otherwise. */
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
