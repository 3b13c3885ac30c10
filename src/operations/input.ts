import { z } from 'zod';
import { type Fault, InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';

// Enough for users; hostile input may have a hundred thousand faults.
const MOST_FAULTS = 50;

/** Throws InvalidRequest with the paths of the wrong fields. `whole`: name of the whole value; null if the caller adds a path. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, whole: string | null = 'The body'): T {
  const parsed = schema.safeParse(value, { reportInput: true, error: whatToGive });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.slice(0, MOST_FAULTS).map((issue) => faultOf(issue, whole));
  const { path, whatToDo } = elementAt(faults, 0);
  throw new InvalidRequest(path, whatToDo, ...faults.slice(1));
}

function whatToGive(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `give ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return undefined;
  const { expected } = issue;
  return `give ${expected === 'boolean' ? 'true or false' : `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`}`;
}

function faultOf(issue: z.core.$ZodIssue, whole: string | null): Fault {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code === 'unrecognized_keys') return { path: [...path, issue.keys[0] ?? ''], whatToDo: 'is not known here; leave it out.' };
  const what = `${issue.input === undefined ? 'is required' : issue.message.replace(/\.$/, '')}.`;
  return { path, whatToDo: path.length || whole === null ? what : `${whole}: ${what}` };
}

export type ActionArguments = Record<string, { required: readonly string[]; optional: readonly string[] }>;

/** Checks a flat object whose `action` decides which arguments are allowed: tools have no unions at their root (behaviour §7.8). `rowOf`:
 *  the row of the table for these arguments. */
export function argumentsByAction(table: ActionArguments, rowOf = ({ action }: Record<string, unknown>) => String(action)) {
  const check = (value: { action: string }, { issues }: { issues: z.core.$ZodRawIssue[] }) => {
    const given: Record<string, unknown> = value;
    const row = rowOf(given);
    const { required = [], optional = [] } = table[row] ?? {};
    const fault = (name: string, message: string) => issues.push({ code: 'custom', path: [name], message, input: given[name] });
    for (const name of required) if (given[name] === undefined) fault(name, 'is required');
    for (const name of Object.keys(given)) {
      if (name !== 'action' && given[name] !== undefined && !required.includes(name) && !optional.includes(name)) {
        fault(name, `does not belong to action ${row}; leave it out`);
      }
    }
  };
  return z.superRefine(check, { when: ({ value }) => Object.hasOwn(table, Object(value).action) });
}

/** Simplifies zod's JSON Schema, for the REST document and the tool list. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

const isTypeBound = (bound: unknown): boolean => typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

export function withoutTypeBounds({ minimum, maximum, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(minimum === undefined || isTypeBound(minimum) ? {} : { minimum }),
    ...(maximum === undefined || isTypeBound(maximum) ? {} : { maximum }),
  };
}

/** Converts `anyOf: [{type: T, …}, {type: null}]` to `type: [T, null]`, and adds null to an enumeration. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second, ...more] = anyOf ?? [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const { enum: values, ...single } = first;
  return { ...single, ...rest, type: [first.type, 'null'], ...(values && { enum: [...values, null] }) };
}
