/** Which column of a CSV file fills which field (behaviour §36.6). */
import { ownValue } from '../../values/records.ts';
import { numberOf } from './amounts.ts';
import type { ImportMap, SourceField } from './map.ts';
import type { Format } from './source.ts';

type CsvFormat = Extract<Format, 'csv' | 'jira' | 'linear' | 'asana'>;
export const isCsv = (format: Format): format is CsvFormat => ['csv', 'jira', 'linear', 'asana'].includes(format);

/** Headers in lower case. */
type Table = Record<string, SourceField>;

const jira: Table = {
  'issue key': 'key',
  'issue id': 'alias',
  summary: 'title',
  description: 'description',
  environment: 'description',
  'issue type': 'type',
  status: 'status',
  priority: 'priority',
  labels: 'labels',
  'component/s': 'labels',
  components: 'labels',
  'custom field (story points)': 'points',
  'custom field (story point estimate)': 'points',
  'original estimate': 'estimateSeconds',
  assignee: 'assignee',
  reporter: 'reporter',
  created: 'createdAt',
  resolved: 'closedAt',
  'custom field (start date)': 'startDate',
  'custom field (target start)': 'startDate',
  'due date': 'dueDate',
  'custom field (target end)': 'dueDate',
  parent: 'parent',
  'parent id': 'parent',
  'parent key': 'parent',
  'custom field (epic link)': 'parent',
  'inward issue link (blocks)': 'blockedBy',
  'outward issue link (blocks)': 'blocks',
  sprint: 'sprint',
  'fix version/s': 'milestone',
  'fix versions': 'milestone',
  comment: 'comment',
  comments: 'comment',
  attachment: 'attachment',
  // These repeat other columns, or describe the project.
  'assignee id': 'ignore',
  'reporter id': 'ignore',
  creator: 'ignore',
  'creator id': 'ignore',
  'project key': 'ignore',
  'project name': 'ignore',
  'project type': 'ignore',
  'project lead': 'ignore',
  'project lead id': 'ignore',
  'project description': 'ignore',
  'project url': 'ignore',
  'parent summary': 'ignore',
  'parent status': 'ignore',
  'status category': 'ignore',
  'status category changed': 'ignore',
  updated: 'ignore',
  'last viewed': 'ignore',
  'custom field (rank)': 'ignore',
};

const linear: Table = {
  id: 'key',
  uuid: 'alias',
  url: 'url',
  title: 'title',
  description: 'description',
  status: 'status',
  estimate: 'points',
  priority: 'priority',
  creator: 'reporter',
  assignee: 'assignee',
  labels: 'labels',
  'cycle number': 'sprint',
  'cycle name': 'sprint',
  created: 'createdAt',
  started: 'startDate',
  completed: 'closedAt',
  canceled: 'cancelledAt',
  archived: 'archived',
  'due date': 'dueDate',
  'parent issue': 'parent',
  'blocked by': 'blockedBy',
  blocks: 'blocks',
  project: 'milestone',
  'project milestone': 'milestone',
  'project id': 'ignore',
  'project milestone id': 'ignore',
  updated: 'ignore',
};

const asana: Table = {
  'task id': 'key',
  name: 'title',
  notes: 'description',
  'section/column': 'status',
  priority: 'priority',
  tags: 'labels',
  projects: 'labels',
  'story points': 'points',
  'estimated time': 'estimateHours',
  'assignee email': 'assigneeMail',
  assignee: 'assignee',
  'created at': 'createdAt',
  'completed at': 'closedAt',
  'start date': 'startDate',
  'due date': 'dueDate',
  'parent task': 'parent',
  'blocked by (dependencies)': 'blockedBy',
  'blocking (dependencies)': 'blocks',
  'last modified': 'ignore',
};

/** Words for a free CSV, without everything but letters and digits. */
const free: readonly [SourceField, string][] = [
  ['key', 'key id issuekey issueid taskid ticket ticketid number no nr ref reference nummer'],
  ['url', 'url link permalink href'],
  ['title', 'title name summary subject task taskname issue titel aufgabe betreff'],
  ['description', 'description details body notes text content beschreibung notizen'],
  ['type', 'type issuetype kind category tracker typ'],
  ['status', 'status state column list section stage phase bucket progressstatus'],
  ['priority', 'priority prio urgency importance priorität'],
  ['labels', 'labels label tags tag components component schlagworte'],
  ['points', 'storypoints points sp storypoint'],
  ['estimateHours', 'estimatehours estimatedhours hours effort estimatedtime estimateh originalestimate aufwand stunden'],
  ['assignee', 'assignee assignees assignedto owner responsible zugewiesen bearbeiter verantwortlich'],
  ['assigneeMail', 'assigneeemail assigneemail'],
  ['reporter', 'reporter author creator createdby requester autor ersteller'],
  ['createdAt', 'created createdat createddate creationdate dateadded erstellt'],
  ['closedAt', 'closed closedat completed completedat resolved completeddate completiondate donedate finished erledigt'],
  ['startDate', 'start startdate started begin startdatum beginn'],
  ['dueDate', 'due duedate deadline enddate dueon fällig fälligkeit fälligkeitsdatum'],
  ['parent', 'parent parentid parentkey parentissue parenttask epic epiclink'],
  ['blockedBy', 'blockedby dependson dependencies dependency predecessors predecessor'],
  ['blocks', 'blocks blocking successors'],
  ['sprint', 'sprint sprints iteration cycle'],
  ['milestone', 'milestone milestones version release project projekt meilenstein'],
  ['comment', 'comment comments'],
  ['checklist', 'checklist checklists checklistitems todos'],
  ['attachment', 'attachment attachments files'],
  ['archived', 'archived'],
];
const ofWord = new Map(free.flatMap(([field, words]) => words.split(' ').map((word) => [word, field] as const)));

const tables: Record<Exclude<CsvFormat, 'csv'>, Table> = { jira, linear, asana };

/** The field of each column, in the order of the header; null for none. */
export function fieldsOf(format: CsvFormat, header: readonly string[], rows: readonly string[][], map: ImportMap): (SourceField | null)[] {
  const taken = new Map<SourceField, string>();
  const samples = header.map((_name, at) => rows.flatMap((cells) => cells[at]?.trim() || []));
  const fields = header.map((name, at) => {
    const chosen = ownValue(map.columns, name);
    if (chosen !== undefined) return chosen;
    const field = guess(format, name, samples[at] ?? []);
    if (field === null || (format === 'csv' && single.has(field) && (taken.get(field) ?? name) !== name)) return null;
    taken.set(field, name);
    return field;
  });
  if (format !== 'csv' || fields.includes('title')) return fields;
  const title = longestText(fields.map((field, at) => (field === null ? (samples[at] ?? []) : [])));
  return fields.map((field, at) => (at === title ? 'title' : field));
}

/** The index of the column with the longest texts on average, numbers and dates apart; -1 for none. */
function longestText(samples: readonly (readonly string[])[]): number {
  const lengths = samples.map((texts) => {
    const words = texts.filter((text) => /\p{L}{2}/u.test(text));
    return words.length === 0 ? 0 : words.reduce((sum, text) => sum + Math.min(text.length, 200), 0) / texts.length;
  });
  const most = Math.max(...lengths);
  return most > 0 ? lengths.indexOf(most) : -1;
}

/** Fields with one value, for which a second column of a free CSV is not guessed. */
const single = new Set<SourceField>([
  'key',
  'title',
  'status',
  'type',
  'priority',
  'points',
  'assignee',
  'parent',
  'createdAt',
  'closedAt',
  'dueDate',
  'startDate',
]);

/** Null for a header that names no field. */
export function guess(format: CsvFormat, name: string, samples: readonly string[]): SourceField | null {
  const lower = name.trim().toLowerCase();
  if (format !== 'csv') return ownValue(tables[format], lower) ?? null;
  const word = lower.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (word === 'estimate' || word === 'estimation' || word === 'size') return arePoints(samples) ? 'points' : 'estimateHours';
  return ofWord.get(word) ?? null;
}

const scale = new Set([0, 0.5, 1, 2, 3, 5, 8, 13, 20, 21, 34, 40, 100]);

/** True for values of the usual scale of story points. */
function arePoints(samples: readonly string[]): boolean {
  const values = samples.map((sample) => numberOf(sample, 'point'));
  return values.length > 0 && values.every((value) => value !== null && scale.has(value));
}
