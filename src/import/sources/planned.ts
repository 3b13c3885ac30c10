/** An item planned from an issue of another service, and the facts of the workspace that planning needs. */
import type { ItemType } from '../../access/rights.ts';
import type { Status, WorkFields } from '../../items/schema.ts';
import type { PriorityOption, StatusOption } from '../../workspaces/startingWorkflow.ts';
import type { SourceChange } from './source.ts';

/** Read once for an import. The caller adds the new labels and the new status of each planned item before it plans the next one. */
export interface Facts {
  /** In the order of the workspace. */
  statuses: Pick<StatusOption, 'key' | 'label' | 'status' | 'types'>[];
  priorities: PriorityOption[];
  /** Members who may be assigned. */
  members: { id: number; name: string; mail: string }[];
  /** Lower case → as written. Archived labels, too. */
  labels: Map<string, string>;
}

export interface PlannedStatus {
  key: string;
  label: string;
  status: Status;
  types: ItemType[];
}

export interface PlannedComment {
  /** Null: the author is not a member. The body then names the author. */
  authorId: number | null;
  /** Null: unknown; use the time of the import. */
  createdAt: string | null;
  body: string;
}

/** A milestone or release that issues name by title. Find or create it once per title. */
export interface Container {
  type: 'milestone' | 'release';
  title: string;
}

/** The same for titles that differ only in case. */
export const containerKey = ({ type, title }: Container): string => `${type} ${title.toLowerCase()}`;

/** Valid by the rules of items, except links: they name issues that may come later in the file (`SourceLinks`). */
export interface PlannedItem {
  key: string;
  isNumbered?: boolean | undefined;
  aliases: string[];
  url: string | null;
  type: ItemType;
  title: string;
  description: string;
  status: Status;
  /** Without links. `assigneeId` is a member. */
  fields: Omit<WorkFields, 'parentId' | 'parentItemId' | 'requirementId' | 'releaseId' | 'goalId'>;
  /** Create it before the item: the workspace has no such status. Only with `unknownStatuses: "create"`. */
  newStatus: PlannedStatus | null;
  /** Invite this address when the import starts: the item is then assigned to the new member. */
  inviteMail: string | null;
  archived: boolean;
  createdAt: string | null;
  /** Set only for done items. */
  completedAt: string | null;
  /** At most 20 labels, spelled as in the workspace. */
  labels: string[];
  /** Those of them that the workspace lacks. */
  newLabels: string[];
  parentKey: string | null;
  blockedBy: string[];
  blocks: string[];
  container: Container | null;
  comments: PlannedComment[];
  /** Differences from the source, for the report. */
  changed: SourceChange[];
}
