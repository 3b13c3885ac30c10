/** A board of Trello as JSON (behaviour §36.13). Its lists, checklists and comments may come after the cards, so a first pass
 *  collects them. */
import { z } from 'zod';
import { InvalidRequest } from '../../values/errors.ts';
import { ownValue } from '../../values/records.ts';
import { hoursOf, numberOf } from './amounts.ts';
import { guess } from './columns.ts';
import {
  body,
  Collected,
  day,
  emptyIssue,
  instant,
  line,
  listOf,
  nameLine,
  orNull,
  reference,
  refusedEntry,
  repeatedIn,
} from './entries.ts';
import { jsonEntries } from './json.ts';
import type { ImportMap } from './map.ts';
import { momentOf } from './moments.ts';
import type { OpenSource, Person, SourceComment, SourceIssue, SourceRow } from './source.ts';
import type { Survey } from './surveySchema.ts';
import { nameOf, webAddress } from './texts.ts';

const id = reference(100);
const List = z.object({ id, name: nameLine, closed: z.boolean().catch(false) });
const Member = z.object({ id, fullName: nameLine, username: nameLine });
const Checklist = z.object({
  idCard: id,
  name: line,
  checkItems: listOf(z.object({ name: line, state: line, pos: z.number().catch(0) })),
});
const Action = z.object({
  type: z.literal('commentCard'),
  date: instant,
  data: z.object({ text: body, card: z.object({ id }) }),
  memberCreator: orNull(Member).optional(),
});
const CustomField = z.object({
  id,
  name: nameLine,
  options: listOf(z.object({ id, value: z.object({ text: nameLine }) })).transform((all) => all.slice(0, 200)),
});
const CustomValue = z.object({
  idCustomField: id,
  idValue: orNull(z.string()).optional(),
  value: orNull(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))).optional(),
});
const Card = z.object({
  id,
  idShort: orNull(z.number()).optional(),
  shortLink: orNull(id).optional(),
  name: line,
  desc: body,
  idList: orNull(z.string()).optional(),
  idMembers: listOf(z.string()),
  labels: listOf(z.object({ name: nameLine, color: orNull(nameLine).optional() })),
  start: day.optional(),
  due: day.optional(),
  dueComplete: z.boolean().catch(false),
  closed: z.boolean().catch(false),
  dateCompleted: instant.optional(),
  shortUrl: orNull(z.string()).optional(),
  url: orNull(z.string()).optional(),
  attachments: listOf(z.object({ name: line, url: z.string().catch('') })),
  customFieldItems: listOf(CustomValue),
  idMembersVoted: listOf(z.string()),
  stickers: listOf(z.unknown()),
  cover: orNull(z.object({ color: orNull(z.string()).optional(), idAttachment: orNull(z.string()).optional() })).optional(),
  locationName: orNull(z.string()).optional(),
  dueReminder: orNull(z.number()).optional(),
  isTemplate: z.boolean().catch(false),
});
type Card = z.infer<typeof Card>;

/** Of lists, members and custom fields each. Trello allows 500 open lists. */
const MOST_NAMED = 10_000;
/** Trello allows 50 custom fields. */
const MOST_VALUES = 200;

const TOO_MANY = 'The board has more than 64 million characters of comments and checklists. Split it.';

class Board {
  readonly lists = new Map<string, z.infer<typeof List>>();
  readonly members = new Map<string, Person>();
  readonly fields = new Map<string, z.infer<typeof CustomField>>();
  readonly checklists = new Collected<string>(TOO_MANY);
  readonly comments = new Collected<SourceComment>(TOO_MANY);

  [Symbol.dispose](): void {
    this.checklists.free();
    this.comments.free();
  }

  add(list: string, value: unknown): void {
    if (list === 'lists') keep(List.safeParse(value).data, this.lists);
    if (list === 'customFields') keep(CustomField.safeParse(value).data, this.fields);
    const member = list === 'members' ? Member.safeParse(value).data : undefined;
    if (member) this.members.set(member.id, personOf(member));
    if (Math.max(this.lists.size, this.fields.size, this.members.size) > MOST_NAMED)
      throw new InvalidRequest([], `The board has more than ${MOST_NAMED.toLocaleString('en')} ${list}. Split it.`);
    const checklist = list === 'checklists' ? Checklist.safeParse(value).data : undefined;
    const markdown = checklist ? markdownOf(checklist) : '';
    if (checklist) this.checklists.add(checklist.idCard, markdown, markdown.length);
    const action = list === 'actions' ? Action.safeParse(value).data : undefined;
    if (action) this.#addComment(action);
  }

  #addComment({ date, data, memberCreator }: z.infer<typeof Action>): void {
    const author = memberCreator ? personOf(memberCreator) : null;
    this.comments.add(data.card.id, { author, createdAt: date, body: data.text }, data.text.length);
  }
}

function keep<Value extends { id: string }>(value: Value | undefined, into: Map<string, Value>): void {
  if (value) into.set(value.id, value);
}

const personOf = ({ fullName, username }: z.infer<typeof Member>): Person => ({ name: fullName || username, mail: null });

function markdownOf({ name, checkItems }: z.infer<typeof Checklist>): string {
  const items = checkItems.toSorted((a, b) => a.pos - b.pos).map((item) => `- [${item.state === 'complete' ? 'x' : ' '}] ${item.name}`);
  return [...(name ? [`**${name}**`, ''] : []), ...items].join('\n');
}

export async function* trelloRows({ encoding }: Survey, open: OpenSource, map: ImportMap): AsyncGenerator<SourceRow> {
  using board = new Board();
  const lists = ['lists', 'members', 'customFields', 'checklists', 'actions'].map((name) => `$.${name}.*`);
  for await (const { list, value } of jsonEntries(open, encoding, lists)) board.add(list, value);
  // Comments and checklists belong to the id. The key may be another one.
  const byId = new Map<string, number>();
  let at = 0;
  for await (const { value } of jsonEntries(open, encoding, ['$.cards.*'])) {
    at++;
    const { data: card } = Card.safeParse(value);
    if (!card) yield refusedEntry(at, null, 'it is not a Trello card');
    else if (card.name === '') yield refusedEntry(at, keyOf(card), 'it has no title');
    else {
      const earlier = byId.get(card.id) ?? at;
      byId.set(card.id, earlier);
      yield earlier < at
        ? refusedEntry(at, keyOf(card), repeatedIn(earlier))
        : { line: at, key: keyOf(card), issue: issueOf(card, board, map) };
    }
  }
  if (at === 0 && board.lists.size === 0)
    throw new InvalidRequest([], "This JSON is not a Trello board. In Trello, use 'Print, export, and share', then 'Export as JSON'.");
}

const keyOf = ({ id, shortLink }: Card): string => shortLink ?? id;

function issueOf(card: Card, board: Board, map: ImportMap): SourceIssue {
  const list = board.lists.get(card.idList ?? '');
  const [assignee, ...members] = card.idMembers.flatMap((one) => board.members.get(one) ?? []);
  const issue: SourceIssue = {
    ...emptyIssue,
    key: keyOf(card),
    url: webAddress(card.shortUrl ?? card.url ?? ''),
    title: card.name,
    description: [card.desc, ...board.checklists.take(card.id)].filter((part) => part !== '').join('\n\n'),
    status: list?.name || null,
    closed: card.dueComplete ? 'done' : null,
    labels: card.labels.map(({ name, color }) => name || color || '').filter((name) => name !== ''),
    assignee: assignee ?? null,
    createdAt: createdOf(card.id),
    closedAt: card.dateCompleted ?? null,
    startDate: card.start ?? null,
    dueDate: card.due ?? null,
    archived: card.closed || list?.closed === true,
    // The newest action is first.
    comments: board.comments.take(card.id).toReversed(),
    attachments: card.attachments.map(({ name, url }) => ({ name: nameOf(name), url: webAddress(url) })),
    other: [...(members.length ? ['Members after the first'] : []), ...lostOf(card)],
  };
  return card.customFieldItems.slice(0, MOST_VALUES).reduce((now, item) => withCustom(now, item, board, map), issue);
}

/** An id begins with the second of its creation. */
function createdOf(id: string): string | null {
  return /^[0-9a-f]{24}$/.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString() : null;
}

function lostOf(card: Card): string[] {
  return [
    ...(card.idMembersVoted.length ? ['Votes'] : []),
    ...(card.stickers.length ? ['Stickers'] : []),
    ...(card.cover?.color || card.cover?.idAttachment ? ['Cover'] : []),
    ...(card.locationName ? ['Location'] : []),
    ...(card.dueReminder != null && card.dueReminder >= 0 ? ['Due reminder'] : []),
    ...(card.isTemplate ? ['Card template'] : []),
  ];
}

/** Stores the value of a Trello custom field: in the field that the map assigns to it, or else in the field with the same name. */
function withCustom(
  issue: SourceIssue,
  { idCustomField, idValue, value }: z.infer<typeof CustomValue>,
  board: Board,
  map: ImportMap,
): SourceIssue {
  const definition = board.fields.get(idCustomField);
  const text = definition?.options.find((option) => option.id === idValue)?.value.text ?? String(Object.values(value ?? {})[0] ?? '');
  const short = nameOf(text);
  if (!definition || short === '') return issue;
  const { name } = definition;
  const field = ownValue(map.columns, name) ?? guess('csv', name, [text]);
  const lost = { ...issue, other: [...issue.other, name] };
  switch (field) {
    case 'points':
    case 'estimateHours': {
      const number = field === 'points' ? numberOf(text, 'point') : hoursOf(text, 'point');
      return number === null || number < 0 ? lost : { ...issue, [field]: number };
    }
    case 'startDate':
    case 'dueDate': {
      const moment = momentOf(text, 'day-month', map.timezone);
      return moment === null ? lost : { ...issue, [field]: moment.day };
    }
    case 'type':
    case 'priority':
    case 'status':
      return { ...issue, [field]: nameOf(text, 100) };
    case 'labels':
      return { ...issue, labels: [...issue.labels, short] };
    case 'sprint':
      return { ...issue, sprints: [...issue.sprints, short] };
    case 'milestone':
      return { ...issue, milestones: [...issue.milestones, short] };
    case 'description':
      return { ...issue, description: `${issue.description}\n\n**${name}**\n\n${text}`.trim() };
    case 'ignore':
      return issue;
    default:
      return lost;
  }
}
