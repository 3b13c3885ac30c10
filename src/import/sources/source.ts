/** Issues as read from another service's export, before they become items (behaviour §36). An import runs in these steps:
 *
 *  - `detectFormat(head, name): Format`, from the first 64 KiB
 *  - `survey(format, open, map): Promise<Survey>`, once; throws InvalidRequest if the file is not in this format
 *  - `readSource(survey, open, map): AsyncIterable<SourceRow>`, in the same order each time
 *  - `plan(issue, map, facts): PlannedItem`
 *  - `new SourceLinks()`, `.add(planned)` for all, then `.linksOf(key)`: parents and blockers that exist and form no cycle
 *  - `new Reporter(survey, map, facts)`, `.add(issue, planned)`, `.refuse(row)`, `.links(links)`, `.report(): Report` */
import type { WorkFields } from '../../items/schema.ts';

export const formats = ['csv', 'jira', 'linear', 'asana', 'trello', 'github', 'stint'] as const;
export type Format = (typeof formats)[number];

/** Opens the file from its beginning. Called once for the survey and once for each reading. A chunk is valid until the next one is read. */
export type OpenSource = () => AsyncIterable<Uint8Array>;

export interface Person {
  /** The email address if the file has no name. */
  name: string;
  mail: string | null;
}

export interface SourceComment {
  author: Person | null;
  /** ISO 8601 in UTC. */
  createdAt: string | null;
  /** Markdown. */
  body: string;
}

export interface SourceAttachment {
  name: string;
  /** Null if the file has only the name. */
  url: string | null;
}

export interface SourceIssue {
  /** Unique in the file, such as SHOP-120. */
  key: string;
  /** The file has no key for it: `key` is its number in the file, so a newer file can't update it. */
  isNumbered?: boolean;
  /** Other keys by which issues in the file refer to this one, such as Jira's issue id. */
  aliases: string[];
  url: string | null;
  title: string;
  /** Markdown. Checklists are checkboxes in it. */
  description: string;
  /** As the source names it, such as Bug. Null: the source has none. The same for status and priority. */
  type: string | null;
  status: string | null;
  priority: string | null;
  /** Set by the source apart from the status: completed, or closed without being done. */
  closed: 'done' | 'cancelled' | null;
  labels: string[];
  points: number | null;
  estimateHours: number | null;
  assignee: Person | null;
  reporter: Person | null;
  /** ISO 8601 in UTC. */
  createdAt: string | null;
  closedAt: string | null;
  /** YYYY-MM-DD. */
  startDate: string | null;
  dueDate: string | null;
  parentKey: string | null;
  /** Keys of issues that must be done first. */
  blockedBy: string[];
  /** Keys of issues that wait for this one. */
  blocks: string[];
  sprints: string[];
  /** Milestones, versions or projects, the most important one first. */
  milestones: string[];
  /** Jira's versions are releases. */
  milestoneType: 'milestone' | 'release';
  archived: boolean;
  comments: SourceComment[];
  attachments: SourceAttachment[];
  /** Our own format only: fields without links, unchanged. */
  fields: WorkFields;
  /** Columns with a value that no field takes. */
  other: string[];
  /** Changes made by reading, such as leaving out a date that does not exist. */
  changed: SourceChange[];
}

export interface SourceChange {
  /** A field of SourceIssue, or a column. */
  what: string;
  /** Continues after the field: "was cut to 300 characters". */
  reason: string;
}

/** A row of the file, in file order: an issue, or the reason why the row was not read as one. */
export type SourceRow =
  | { line: number; key: string; issue: SourceIssue }
  /** `skipped`: left out on purpose, such as a pull request. */
  | { line: number; key: string | null; refused: string; skipped?: true };
