/** Items and comments of our own import format (behaviour §36.15). Comments and users may come after the items, so a first pass
 *  collects them. */

import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { applies, fieldNames, fields, isLink } from '../../items/fields.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { body, Collected, emptyIssue, instant, line, listOf, name, nameLine, orNull, reference, refusedEntry } from './entries.ts';
import { jsonEntries } from './json.ts';
import type { OpenSource, Person, SourceComment, SourceIssue, SourceRow } from './source.ts';
import type { Survey } from './surveySchema.ts';
import { nameOf } from './texts.ts';

const MOST_MAIL = 320;
const ref = reference(200);
const Pointer = z.object({ ref });
const User = z.object({ ref, name: nameLine, email: z.string().transform((text) => nameOf(text, MOST_MAIL)) });
const Comment = z.object({ item: ref, author: ref, body, createdAt: instant.optional() });
const Word = z.object({ key: z.string(), label: nameLine });
const Item = z.object({
  ref: ref.optional(),
  type: z.enum(itemTypes),
  title: line,
  description: body,
  status: orNull(name).optional(),
  archived: z.boolean().catch(false),
  createdAt: instant.optional(),
  completedAt: instant.optional(),
  labels: listOf(name),
  blockedBy: listOf(Pointer.extend({ lagDays: z.number().catch(0) })),
  fields: z.record(z.string(), z.unknown()).catch({}),
});
type Item = z.infer<typeof Item>;

const inWorkspace = (list: string) => `$.accounts.*.workspaces.*.${list}.*`;

class Companions {
  readonly people = new Map<string, Person>();
  readonly words = new Map<string, string>();
  readonly comments = new Collected<SourceComment & { by: string }>('The file has more than 64 million characters of comments. Split it.');

  [Symbol.dispose](): void {
    this.comments.free();
  }

  add(list: string, value: unknown): void {
    const user = list === 'users' ? User.safeParse(value).data : undefined;
    if (user) this.people.set(user.ref, { name: user.name || user.email, mail: user.email });
    const word = list === 'statuses' || list === 'priorities' ? Word.safeParse(value).data : undefined;
    if (word) this.words.set(`${list} ${word.key}`, word.label);
    const comment = list === 'comments' ? Comment.safeParse(value).data : undefined;
    if (!comment) return;
    const { item, author, body, createdAt = null } = comment;
    this.comments.add(item, { by: author, author: null, createdAt, body }, body.length);
  }

  take(item: string): SourceComment[] {
    return this.comments.take(item).map(({ by, ...comment }) => ({ ...comment, author: this.people.get(by) ?? { name: by, mail: null } }));
  }
}

export async function* stintRows({ encoding }: Survey, open: OpenSource): AsyncGenerator<SourceRow> {
  using companions = new Companions();
  const lists = ['comments', 'statuses', 'priorities'].map(inWorkspace);
  for await (const { list, value } of jsonEntries(open, encoding, ['$.accounts.*.users.*', ...lists])) companions.add(list, value);
  let at = 0;
  for await (const { value } of jsonEntries(open, encoding, [inWorkspace('items')])) {
    at++;
    const { data: item } = Item.safeParse(value);
    if (!item) yield refusedEntry(at, null, 'it is not an item: it needs a type and a title');
    else if (item.title === '') yield refusedEntry(at, item.ref ?? null, 'it has no title');
    else yield { line: at, key: item.ref ?? String(at), issue: issueOf(item, item.ref ?? String(at), companions) };
  }
  if (at === 0) throw new InvalidRequest([], 'This JSON has no items of Stint. Choose another format, or export the workspace again.');
}

/** The first link is the parent. */
const parentNames = ['parentItemId', 'parentId', 'requirementId', 'releaseId', 'goalId'] as const;

function issueOf(item: Item, key: string, companions: Companions): SourceIssue {
  const { statusKey, priorityKey, assigneeId, ...own } = item.fields;
  const word = (list: string, value: unknown) =>
    typeof value === 'string' ? (companions.words.get(`${list} ${value}`) ?? nameOf(value)) : null;
  const links = parentNames.flatMap((name) => {
    const { data: pointer } = Pointer.safeParse(own[name]);
    return pointer ? [{ name, ref: pointer.ref }] : [];
  });
  const assignee = Pointer.safeParse(assigneeId).data?.ref;
  return {
    ...emptyIssue,
    key,
    isNumbered: item.ref === undefined,
    title: item.title,
    description: item.description,
    type: item.type,
    status: word('statuses', statusKey) ?? item.status ?? null,
    priority: word('priorities', priorityKey),
    labels: item.labels,
    assignee: assignee === undefined ? null : (companions.people.get(assignee) ?? { name: assignee, mail: null }),
    createdAt: item.createdAt ?? null,
    closedAt: item.completedAt ?? null,
    parentKey: links[0]?.ref ?? null,
    blockedBy: item.blockedBy.map((blocker) => blocker.ref),
    archived: item.archived,
    comments: companions.take(key),
    ...ownFields(own, item.type),
    other: [
      ...links.slice(1).map(({ name }) => name),
      ...(item.blockedBy.some(({ lagDays }) => lagDays > 0) ? ['Lag of dependencies'] : []),
    ],
  };
}

/** Fields that apply to the type and are valid, one by one. */
function ownFields(own: Record<string, unknown>, type: Item['type']): Pick<SourceIssue, 'fields' | 'changed'> {
  const found: Record<string, unknown> = {};
  const changed: SourceIssue['changed'] = [];
  for (const name of fieldNames) {
    if (own[name] == null || isLink(name)) continue;
    const { success, data } = fields[name].schema.safeParse(own[name]);
    if (success && applies(name, type)) found[name] = data;
    else changed.push({ what: name, reason: 'a value that the field does not accept was left out' });
  }
  return { fields: found, changed };
}
