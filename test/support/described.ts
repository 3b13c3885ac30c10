/** PostgreSQL's description of a statement's columns, compared with its row schema. */
import pg from 'pg';
import type { QuerySqlToken } from 'slonik';
import type { z } from 'zod';

interface Column {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** Sends Parse and Describe only: PostgreSQL neither plans nor executes the statement. */
class Description {
  readonly columns = Promise.withResolvers<Column[]>();
  readonly #text: string;
  #found: Column[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: { parse(of: object): void; describe(of: object): void; sync(): void }): void {
    connection.parse({ text: this.#text });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#found = fields;
  }

  handleError(error: Error): void {
    this.columns.reject(error);
  }

  handleReadyForQuery(): void {
    this.columns.resolve(this.#found);
  }
}

const { BOOL, BYTEA, INT2, INT4, INT8, FLOAT4, FLOAT8, TEXT, VARCHAR, UUID, DATE, TIMESTAMPTZ, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const kinds = new Map<number, string>([
  [BOOL, 'boolean'],
  [BYTEA, 'custom'],
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8].map((type) => [type, 'number'] as const),
  ...[TEXT, VARCHAR, UUID, DATE, TIMESTAMPTZ].map((type) => [type, 'string'] as const),
]);
const INT8_ARRAY = 1016;
/** The result of a function called for its effect. */
const VOID = 2278;
const lists = new Map<number, string>([
  [INT8_ARRAY, 'number'],
  [1007, 'number'],
  [1009, 'string'],
  [1015, 'string'],
]);

/** The schema inside wrappers, and whether it accepts null. */
function bare(schema: z.ZodType, nullable = false): { schema: z.ZodType; nullable: boolean } {
  // biome-ignore lint/suspicious/noExplicitAny: each kind of schema has other parts
  const def = schema.def as any;
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  return inner ? bare(inner, nullable || def.type === 'nullable' || def.type === 'optional') : { schema, nullable };
}

function isKind(schema: z.ZodType, kind: string): boolean {
  const { type } = schema.def;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { options, values } = schema.def as any;
  if (type === 'union') return options.every((option: z.ZodType) => isKind(bare(option).schema, kind));
  if (type === 'literal') return values.every((value: unknown) => typeof value === kind);
  return type === kind || (type === 'enum' && kind === 'string') || type === 'unknown';
}

function accepts(schema: z.ZodType, type: number): boolean {
  if (type === JSON_TYPE || type === JSONB) return true;
  const list = lists.get(type);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  if (list) return schema.def.type === 'array' && isKind(bare((schema.def as any).element).schema, list);
  const kind = kinds.get(type);
  return kind !== undefined && isKind(schema, kind);
}

let nullables: Promise<Set<string>> | undefined;
async function nullableColumns(client: pg.Client): Promise<Set<string>> {
  // Not of views, whose columns are never marked as not null.
  const { rows } = await client.query(`select attrelid || ' ' || attnum as id from pg_attribute join pg_class on pg_class.oid = attrelid
    where attnum > 0 and not attnotnull and relkind in ('r', 'p')`);
  return new Set(rows.map(({ id }) => id));
}

export async function described(client: pg.Client, { sql, parser }: QuerySqlToken<z.ZodType>): Promise<string[]> {
  const { schema } = bare(parser);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const shape: Record<string, z.ZodType> | undefined = (schema.def as any).shape;
  if (!shape) return [`the row schema is no object but ${schema.def.type}`];
  nullables ??= nullableColumns(client);
  const nullable = await nullables;
  const description = new Description(sql.replaceAll('$slonik_', '$'));
  client.query(description as never);
  let columns: Column[];
  try {
    columns = await description.columns.promise;
  } catch (error) {
    return [(error as Error).message];
  }
  const missing = Object.keys(shape).filter((name) => !bare(shape[name]!).nullable && !columns.some((column) => column.name === name));
  return [
    ...missing.map((name) => `no column ${name}`),
    ...columns.flatMap(({ name, dataTypeID, tableID, columnID }) => {
      const expected = shape[name];
      if (dataTypeID === VOID) return [];
      if (!expected) return [`the row schema does not know the column ${name}`];
      const inner = bare(expected);
      if (!accepts(inner.schema, dataTypeID)) return [`${name} has type ${dataTypeID}, but the schema expects ${inner.schema.def.type}`];
      return !inner.nullable && nullable.has(`${tableID} ${columnID}`) ? [`${name} may be null`] : [];
    }),
  ];
}
