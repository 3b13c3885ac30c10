import { hash } from 'node:crypto';
import type { ItemType } from '../../access/rights.ts';
import type { ItemChange } from '../../changes/schema.ts';
import type { Work } from '../../items/schema.ts';
import { keysOf } from '../../values/records.ts';
import type { IconName } from '../frame/components/icons.ts';
import type { Form } from '../frame/forms.ts';
import { type FormName, isText, kindOf } from './fields.ts';

/** '' for empty values. */
export type Values = Partial<Record<FormName, string>>;

export function storedValue(work: Work, name: FormName): string | number | null {
  return (name === 'title' || name === 'description' || name === 'ownerId' ? work[name] : work.fields[name]) ?? null;
}

/** The value as a browser sends it: \n line ends, single lines trimmed. */
function asSent(name: FormName, value: string | number | null): string {
  const text = String(value ?? '').replaceAll('\r\n', '\n');
  return isText(name) ? text : text.trim();
}

export function valuesOf(work: Work, names: readonly FormName[]): Values {
  return Object.fromEntries(names.map((name) => [name, asSent(name, storedValue(work, name))]));
}

export function valuesIn(form: Form, names: readonly FormName[]): Values {
  return Object.fromEntries(names.map((name) => [name, isText(name) ? textIn(form, name) : form.text(name)]));
}

/** On the conflict page, the field of both texts: it counts if the choice is empty, which no other choice is then. */
export const bothOf = (name: FormName): string => `both-${name}`;

const textIn = (form: Form, name: FormName): string => form.raw(name) || form.raw(bothOf(name));

interface Basis {
  type: ItemType;
  statuses: readonly { key: string; status: string }[];
  stored: Work | null;
}

/** Input for saveItem. Unchanged fields keep their stored bytes. */
export function recordOf(values: Values, { type, statuses, stored }: Basis): Record<string, unknown> {
  const names = keysOf(values);
  const kept = stored && valuesOf(stored, names);
  const parsed = Object.fromEntries(
    names.map((name) => {
      const text = values[name] ?? '';
      return [name, stored && kept?.[name] === text ? storedValue(stored, name) : parse(name, text)];
    }),
  );
  const { title, description, ownerId, statusKey, ...fields } = parsed;
  const keptKey = stored && statusKey === stored.fields.statusKey;
  return {
    type,
    title,
    description,
    status: keptKey ? stored.status : statuses.find(({ key }) => key === statusKey)?.status,
    ownerId,
    fields: { ...fields, statusKey },
  };
}

function parse(name: FormName, text: string): unknown {
  if (name === 'title' || name === 'description') return text;
  if (text === '') return null;
  const kind = kindOf(name);
  return kind === 'number' || kind === 'id' ? Number(text) : text;
}

/** Hashes of the values when the form was shown. They tell own changes from changes by others. */
export function marksOf(values: Values): string {
  return JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, text]) => [name, markOf(text)])));
}

const markOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 16);

export interface Difference {
  name: FormName;
  mine: string;
  theirs: string;
}

export interface Reconciled {
  /** Fields that only one side changed have that side's value; the others have the stored one. */
  merged: Values;
  /** Fields that both changed, to different values. */
  differences: Difference[];
  /** Fields that only the user changed, and only others. */
  mine: FormName[];
  theirs: FormName[];
}

/** Merges submitted and stored values, field by field. `marks`: what the form showed. */
export function reconcile(sent: Values, stored: Values, marks: string): Reconciled {
  const before = readMarks(marks);
  const result: Reconciled = { merged: { ...stored }, differences: [], mine: [], theirs: [] };
  for (const name of keysOf(sent)) {
    const [mine, theirs] = [sent[name] ?? '', stored[name] ?? ''];
    if (mine === theirs) continue;
    if (before[name] === markOf(mine)) result.theirs.push(name);
    else if (before[name] === markOf(theirs)) {
      result.mine.push(name);
      result.merged[name] = mine;
    } else result.differences.push({ name, mine, theirs });
  }
  return result;
}

/** With unreadable marks every field counts as changed, so no input is lost. */
function readMarks(marks: string): Partial<Record<FormName, unknown>> {
  try {
    return Object(JSON.parse(marks));
  } catch {
    return {};
  }
}

export const typeSigns: Record<ItemType, IconName> = {
  task: 'list-checks',
  requirement: 'scroll-text',
  goal: 'target',
  release: 'ship',
  milestone: 'flag',
};

/** The actor in words, e.g. "Bo’s agent “Claude”"; only the name for actions in the browser. Pure. */
export function actorName(name: string, by?: Pick<ItemChange, 'via' | 'keyName'>): string {
  if (by?.via === 'agent') return `${name}’s agent “${by.keyName}”`;
  if (by?.via === 'rest') return by.keyName === null ? `${name} (API)` : `${name} (API key “${by.keyName}”)`;
  return by?.via === 'job' ? `${name} (scheduled)` : name;
}
