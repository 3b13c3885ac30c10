/** Which fields a newer export changes: those whose value here is still what the last import wrote (behaviour §36.26). Pure. */
import { createHash } from 'node:crypto';
import { longTexts } from '../../changes/schema.ts';
import { type FieldName, fieldNames, fields } from '../../items/fields.ts';
import type { ItemChange, Work } from '../../items/schema.ts';
import type { Written } from './itemQueries.ts';

type Name = 'title' | 'description' | FieldName;
const names: readonly Name[] = ['title', 'description', ...fieldNames];

const isLong = (name: string): boolean => longTexts.some((one) => one === name);

/** A long text is stored as its MD5, and an empty one as null. */
function short(name: string, value: unknown): unknown {
  if (value === undefined || value === '') return null;
  return isLong(name) && typeof value === 'string' ? `md5:${createHash('md5').update(value).digest('hex')}` : value;
}

/** The values that this change gives. */
export function valuesOf({ title, description, fields: own = {} }: ItemChange): Written {
  const given: Record<string, unknown> = { title, description, ...own };
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, short(name, given[name])]));
}

export interface Decided {
  change: ItemChange;
  written: Written;
  /** Labels of the fields that were changed here and in the source. */
  kept: string[];
}

/** `planned`: the item as the newer export has it. */
export function decideUpdate(stored: Work, before: Written, planned: ItemChange): Decided {
  const now = valuesOf({ title: stored.title, description: stored.description, fields: stored.fields });
  const next = valuesOf(planned);
  const given: Record<string, unknown> = { ...planned, ...planned.fields };
  const decided: Decided = { change: {}, written: { ...before }, kept: [] };
  const own: Record<string, unknown> = {};
  for (const name of names) {
    const [was, is, wanted] = [before[name] ?? null, now[name] ?? null, next[name]];
    if (wanted === undefined || wanted === was) continue;
    if (is !== was && is !== wanted) {
      decided.kept.push(labelOf(name));
      continue;
    }
    decided.written[name] = wanted;
    if (is === wanted) continue;
    if (name === 'title' || name === 'description') decided.change[name] = String(given[name]);
    else own[name] = given[name];
  }
  if ('statusKey' in own) decided.change.status = planned.status;
  if ('blockedReason' in own && !('statusKey' in own)) delete own.blockedReason;
  return Object.keys(own).length > 0 ? { ...decided, change: { ...decided.change, fields: own } } : decided;
}

const labelOf = (name: Name): string => (name === 'title' ? 'Title' : name === 'description' ? 'Description' : fields[name].label);
