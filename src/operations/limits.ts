/** How many of a collection its owner may have (behaviour §13.18). Triggers refuse more (sql/0130_limits.sql); a test compares both. Rows
 *  that exceeded a limit before it existed stay and can be changed. */
import { Conflict } from '../values/errors.ts';

interface Limit {
  most: number;
  /** `A workspace can have 500 labels` */
  subject: string;
  what: string;
  advice: string;
}

const limit = (subject: string, most: number, what: string, advice: string): Limit => ({ most, subject, what, advice });

export const limits = {
  workspaces: limit('An account', 500, 'workspaces', 'Ask your operator to erase one that is not used.'),
  people: limit('An account', 2_000, 'people', 'Ask your operator to erase people who have left.'),
  keys: limit('An account', 200, 'keys', 'Revoke one that is not used.'),
  webhooksTogether: limit('An account', 50, 'webhooks', 'Revoke one first.'),
  agents: limit('A person', 20, 'agents', 'Revoke one that is not used.'),
  viewsTogether: limit('A person', 100, 'views', 'Delete one first.'),
  favorites: limit('A person', 50, 'favorites', 'Remove one first.'),
  blocks: limit('A person', 2_000, 'scheduled blocks', 'Cancel some first.'),
  entries: limit('A person', 200, 'time entries a day', 'Change one of that day instead.'),
  folders: limit('A person', 500, 'folders', 'Delete one first.'),
  absences: limit('A person', 500, 'absences', 'Remove old ones first.'),
  workingHours: limit('A person', 50, 'changes of working hours', 'Remove old ones first.'),
  views: limit('A person', 50, 'views in a workspace', 'Delete one first.'),
  sharedViews: limit('A workspace', 100, 'shared views', 'Stop sharing one first.'),
  statuses: limit('A workspace', 50, 'statuses', 'Delete one that is not used.'),
  priorities: limit('A workspace', 50, 'priorities', 'Delete one that is not used.'),
  labels: limit('A workspace', 500, 'labels', 'Use one of them, or change one that is not used.'),
  templates: limit('A workspace', 200, 'templates', 'Delete one that is not used.'),
  series: limit('A workspace', 200, 'recurring tasks', 'Stop one first.'),
  webhooks: limit('A workspace', 20, 'webhooks', 'Revoke one first.'),
  imports: limit('A workspace', 1_000, 'imports', 'Import into another workspace.'),
  files: limit('An item', 50, 'files', 'Remove one first.'),
  watchers: limit('An item', 500, 'watchers', 'Ask someone to stop watching it.'),
} satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** `A workspace can have at most 500 labels. Use one of them, or change one that is not used.` */
export function limitReached(name: LimitName): Conflict {
  const { subject, most, what, advice } = limits[name];
  return new Conflict(`${subject} can have at most ${most.toLocaleString('en')} ${what}. ${advice}`);
}
