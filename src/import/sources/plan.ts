/** Plans an item from an issue of another service (behaviour §36.11–§36.12). Pure. */
import type { ItemType } from '../../access/rights.ts';
import { applies, Hours } from '../../items/fields.ts';
import { countCharacters, longest } from '../../values/text.ts';
import type { ImportMap } from './map.ts';
import { findPerson } from './membersOf.ts';
import type { Facts, PlannedComment, PlannedItem } from './planned.ts';
import type { SourceComment, SourceIssue } from './source.ts';
import { type FoundStatus, priorityOf, statusOf } from './statusOf.ts';
import { cleanLine, escapeMarkdown, markdownLink, nameOf, partsOf, webAddress } from './texts.ts';
import { containerOf, labelsOf, typeOf } from './typeOf.ts';

export function plan(issue: SourceIssue, map: ImportMap, facts: Facts): PlannedItem {
  const changed = [...issue.changed];
  const found = typeOf(issue.type, map);
  const status = statusOf(issue, found.type, map, facts);
  const { container, labels } = containerOf(issue, found.type, map);
  const listed = labelsOf([...issue.labels, ...(found.label ? [found.label] : []), ...labels], map, facts);
  if (listed.beyond.length)
    changed.push({ what: 'Labels', reason: 'labels beyond 20 per item or 500 per workspace are listed in the description' });
  if (status.status === 'blocked' && !issue.fields.blockedReason)
    changed.push({ what: 'Status', reason: 'the file does not say what blocks the item' });
  const person = issue.assignee ? findPerson(issue.assignee, map, facts) : null;
  const texts = textsOf(issue, listed.beyond, map, facts, changed);
  return {
    key: issue.key,
    isNumbered: issue.isNumbered,
    aliases: issue.aliases,
    url: webAddress(issue.url ?? ''),
    type: found.type,
    status: status.status,
    ...texts,
    fields: fieldsOf(issue, found.type, status, person?.member?.id ?? null, map, facts, changed),
    newStatus: status.created,
    inviteMail: person?.inviteMail ?? null,
    archived: issue.archived,
    createdAt: issue.createdAt,
    completedAt: status.status === 'done' ? issue.closedAt : null,
    labels: listed.labels,
    newLabels: listed.newLabels,
    parentKey: issue.parentKey,
    blockedBy: issue.blockedBy,
    blocks: issue.blocks,
    container,
    changed,
  };
}

type Changed = SourceIssue['changed'];

function fieldsOf(
  issue: SourceIssue,
  type: ItemType,
  status: FoundStatus,
  assigneeId: number | null,
  map: ImportMap,
  facts: Facts,
  changed: Changed,
): PlannedItem['fields'] {
  const isDone = status.status === 'done';
  const priority =
    issue.priority === null
      ? type === 'task'
        ? facts.priorities.find((one) => one.default)
        : undefined
      : priorityOf(issue.priority, map, facts);
  const hours = hoursOf(issue, map, changed);
  return {
    ...issue.fields,
    statusKey: status.key,
    ...(status.status === 'blocked' &&
      !issue.fields.blockedReason && { blockedReason: `${nameOf(issue.status ?? 'Blocked')} (in the imported file)` }),
    ...(priority && { priorityKey: priority.key }),
    ...(assigneeId !== null && { assigneeId }),
    ...(hours !== null && { estimatedHours: hours }),
    ...(isDone && { progressPercent: 100 }),
    ...(isDone && issue.closedAt && applies('actualDate', type) && { actualDate: issue.closedAt.slice(0, 10) }),
    ...datesOf(issue, type, changed),
  };
}

function datesOf({ startDate, dueDate, fields }: SourceIssue, type: ItemType, changed: Changed): PlannedItem['fields'] {
  const start = startDate ?? fields.startDate ?? null;
  const end = dueDate ?? fields.dueDate ?? fields.targetDate ?? null;
  const isWrong = start !== null && end !== null && start > end;
  if (isWrong) changed.push({ what: 'Start date', reason: 'it was after the due date and was left out' });
  return {
    ...(start && { startDate: isWrong ? null : start }),
    ...(dueDate && { [applies('dueDate', type) ? 'dueDate' : 'targetDate']: dueDate }),
  };
}

function hoursOf(issue: SourceIssue, map: ImportMap, changed: Changed): number | null {
  const { points, estimateHours } = issue;
  if (points !== null && estimateHours !== null) changed.push({ what: 'Story points', reason: 'the estimate in hours was used instead' });
  const hours = estimateHours ?? (points === null ? null : points * map.hoursPerPoint);
  if (hours === null || Hours.safeParse(hours).success) return hours;
  changed.push({ what: 'Estimate', reason: 'a value outside of 0 to 1,000,000 hours was left out' });
  return null;
}

/** Title, description and comments within their limits. Comments continue a description that is too long. */
function textsOf(
  issue: SourceIssue,
  labels: readonly string[],
  map: ImportMap,
  facts: Facts,
  changed: Changed,
): Pick<PlannedItem, 'title' | 'description' | 'comments'> {
  const title = cleanLine(issue.title);
  const isCut = countCharacters(issue.title) > longest.title;
  if (isCut) changed.push({ what: 'Title', reason: 'it was cut to 300 characters; the description begins with all of it' });
  const parts = [
    ...(isCut ? [escapeMarkdown(issue.title)] : []),
    ...(issue.description ? [issue.description] : []),
    ...(issue.attachments.length
      ? [`**Attachments**\n\n${issue.attachments.map(({ name, url }) => `- ${markdownLink(name || (url ?? ''), url)}`).join('\n')}`]
      : []),
    ...(labels.length ? [`**Labels:** ${labels.map(escapeMarkdown).join(', ')}`] : []),
    ...(issue.reporter ? [`*Reported by ${escapeMarkdown(issue.reporter.name)}*`] : []),
  ];
  const whole = parts.join('\n\n');
  const [description = '', ...more] = partsOf(whole, longest.text);
  const rest = more.flatMap((part) => partsOf(part, longest.comment));
  if (rest.length) changed.push({ what: 'Description', reason: 'it was cut to 50,000 characters; comments have the rest' });
  const further = rest.map((body): PlannedComment => ({ authorId: null, createdAt: issue.createdAt, body }));
  return { title, description, comments: [...further, ...issue.comments.flatMap((comment) => commentsOf(comment, map, facts, changed))] };
}

/** Room for a line that names the author. */
const MOST_COMMENT = longest.comment - 1_000;

function commentsOf({ author, createdAt, body }: SourceComment, map: ImportMap, facts: Facts, changed: Changed): PlannedComment[] {
  const member = author ? findPerson(author, map, facts).member : null;
  const bodies = partsOf(body, MOST_COMMENT);
  if (bodies.length > 1) changed.push({ what: 'Comments', reason: 'comments of more than 11,000 characters were split' });
  const by = author && !member ? `**${escapeMarkdown(author.name)}** wrote:\n\n` : '';
  return bodies.map((part) => ({ authorId: member?.id ?? null, createdAt, body: `${by}${part}` }));
}
