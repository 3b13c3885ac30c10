/** The tools of the agent endpoint as a table, in the order that agents see (behaviour §7.20). To add a tool, add a row. */
import { addProgressNote } from '../comments/addProgressNote.ts';
import { getContext } from '../connections/getContext.ts';
import { removeItem } from '../items/archiveItems.ts';
import { createItems } from '../items/createItems.ts';
import { findWork } from '../items/findWork/findWork.ts';
import { getItemWithProgressNotes } from '../items/getItemWithProgressNotes.ts';
import { updateItem } from '../items/updateItem.ts';
import { updateItems } from '../items/updateItems.ts';
import { isRead, type Operation } from '../operations/operation.ts';
import { getNote, listNotes } from '../personal-notes/getNote.ts';
import { createNote, deleteNote, updateNote } from '../personal-notes/writeNote.ts';
import { myTime } from '../plans/myTime.ts';
import { planBlock } from '../plans/planBlock.ts';
import { trackTime } from '../time/trackTime.ts';
import { FIELDS, fieldsOutsideRows, ROW_FIELDS, SAME_FIELDS } from './words.ts';

const NOTE_HTML =
  'Plain rich text only (p, h1 to h4, lists, tables, links, code, emphasis), no styles or classes; anything else is refused.';

export const tools: readonly Tool[] = [
  {
    name: 'svc_context',
    title: 'Context',
    description:
      'Call first: who you act for, your workspaces with effective access levels, eligible member ids and open goals (objectives), and whether personal notes are enabled. defaults: the statuses and priorities that every workspace has but for its own and what it lacks. Approval is given by people alone.',
    operation: getContext,
    output: {
      actor: 'object',
      connection: 'object',
      today: 'string',
      personalNotesEnabled: 'boolean',
      canApprove: 'boolean',
      approval: 'string',
      defaults: 'object',
      workspaces: 'array',
      request: 'object',
    },
  },
  {
    name: 'svc_find_work',
    title: 'Find items',
    description:
      'Lists items by filters. By default open items assigned to you: assignee all for other items, status all for closed items too. The answer states the date window used. While hasMore is true repeat with nextAfterId as afterId. Next: svc_get_item.',
    operation: findWork,
    words: {
      limit: '1 to 100; 50 when left out, with ids 100',
      dueFrom: 'YYYY-MM-DD; the days dueFrom and dueTo are included',
      ids: 'Up to 100: only these; hidden ones are left out',
      releaseId: 'Linked directly to this release; underId finds all below it',
    },
    output: { workspaceId: 'integer', items: 'array', hasMore: 'boolean', nextAfterId: 'integer', dueWindow: 'object', searched: 'array' },
  },
  {
    name: 'svc_get_item',
    title: 'Read one item',
    description:
      'One item with its version, its latest 100 notes and, for a requirement, its tasks. below: other items linked directly below it. progress: sums over everything below; forecastDate: day the last task is forecast to be done; bufferedDate: the same if work takes 25 % longer; outlook: compares both with the target date (overcommitted: forecast too late; at_risk: only buffered too late; needs_data: estimates or assignees missing).',
    operation: getItemWithProgressNotes,
    words: {
      history: 'true adds who changed what: the latest 50, newest first',
      includeOriginals: 'true adds what was submitted to notes that were rewritten',
    },
    output: { item: 'object', notes: 'array', tasks: 'array', below: 'array', belowMore: 'boolean', progress: 'object', history: 'array' },
  },
  {
    name: 'svc_create_items',
    title: 'Create items',
    description:
      'Creates items in one workspace, all or none. Tasks of a new requirement go into its below; of an existing one they carry its id in fields.requirementId. fields.releaseId links to a release. The answer lists each item, then those below it; alsoStored: given fields that it does not show. A fault names the index of the item.',
    operation: createItems,
    words: {
      items: '1 to 100, those in below included',
      below: 'New items linked to this one; type task when left out',
      status: 'planned when left out',
      fields: FIELDS,
    },
    output: { items: 'array', warnings: 'array' },
  },
  {
    name: 'svc_update_item',
    title: 'Change an item',
    description:
      'Changes an item at the version you read last, in whatever answer. Omitted fields keep their value, null clears; note is added in the same commit. Only people approve. The answer names all changed fields (changed). On conflict read again and reapply.',
    operation: updateItem,
    words: { fields: SAME_FIELDS },
    output: { item: 'object', changed: 'array', note: 'object', warnings: 'array' },
    destructive: true,
    reread: 'svc_get_item',
  },
  {
    name: 'svc_update_items',
    title: 'Change many items',
    description:
      'Changes items of one workspace as svc_update_item does, all or none. A fault names the index of the item, a conflict all that have changed.',
    operation: updateItems,
    words: { items: '1 to 100, each once', fields: ROW_FIELDS },
    unlisted: fieldsOutsideRows,
    output: { items: 'array', warnings: 'array' },
    destructive: true,
    reread: 'svc_find_work',
  },
  {
    name: 'svc_add_note',
    title: 'Add a progress note',
    description: 'Appends a note to the discussion of a work item; its description stays. Not for personal notes.',
    operation: addProgressNote,
    output: { note: 'object' },
  },
  {
    name: 'svc_remove_item',
    title: 'Archive an item',
    description:
      'Archives an item at the version you read last, in whatever answer: it disappears; people can restore it. For work that is no longer wanted but should stay visible, set status cancelled instead. Needs delete access. Refused while open work is linked below it or a timer runs on it.',
    operation: removeItem,
    output: { id: 'integer', version: 'integer', archived: 'boolean' },
    destructive: true,
    reread: 'svc_get_item',
  },
  {
    name: 'svc_my_time',
    title: 'Read your time and plans',
    description:
      "Your own recorded time, entries with id and revision, the running timer and your plan blocks. By period around date (this week when left out), or from and to; upcoming: blocks from now on, 90 days. Recorded days are UTC days: near midnight today in UTC is not today in your connection's timezone (svc_context), which blocks go by.",
    operation: myTime,
    output: {
      range: 'object',
      totalMinutes: 'integer',
      days: 'array',
      entries: 'array',
      timer: 'object',
      planBlocks: 'array',
    },
  },
  {
    name: 'svc_time',
    title: 'Record your time',
    description:
      'Your own time only, on open and closed items. start: itemId, note?. stop: entryId, revision, note?. annotate: entryId, revision, note. log: itemId, date (UTC day: today or yesterday of your timezone may be another), minutes (1 to 1440), note?. correct: entryId, revision, reason and any of minutes, date, startedAt, endedAt, itemId, note. One timer runs at a time; a start never switches it. revision: the one you read last, in whatever answer.',
    operation: trackTime,
    output: { entry: 'object' },
    reread: 'svc_my_time',
  },
  {
    name: 'svc_plan_block',
    title: 'Plan a work block',
    description:
      "Your own scheduled work; plans record no hours. create: itemId, startLocal, endLocal (YYYY-MM-DDTHH:mm), timezone? (your connection's), note?, autoStart?, autoStop?, remindStart? (remindMinutes before the start: 0 to 120, else 10), remindEnd? (5 minutes before the end), each false; or blocks, up to 10 of these, all or none. move: blockId, revision, startLocal, endLocal, in the block's timezone. start: blockId, revision?; opens your timer. cancel: blockId, revision?. revision: the one you read last, in whatever answer. overlaps: your other blocks at that time.",
    operation: planBlock,
    output: { block: 'object', blocks: 'array', overlaps: 'array', warnings: 'array' },
    reread: 'svc_my_time',
  },
  {
    name: 'svc_personal_notes_list',
    title: 'List your personal notes',
    description:
      'Summaries of your own unprotected notes, and your folders. While hasMore is true pass nextAfterId as afterId. Personal notes belong to no work item.',
    operation: listNotes,
    words: { limit: '1 to 100; 50 when left out' },
    output: { notes: 'array', folders: 'array', hasMore: 'boolean', nextAfterId: 'integer' },
  },
  {
    name: 'svc_personal_notes_get',
    title: 'Read a personal note',
    description: 'The HTML of one of your own notes, its current revision and the names of its attachments.',
    operation: getNote,
    output: { id: 'integer', title: 'string', html: 'string', folderId: 'integer', revision: 'integer', attachments: 'array' },
  },
  {
    name: 'svc_personal_notes_create',
    title: 'Add a personal note',
    description: `Adds a note of your own; its first line of text is the title. ${NOTE_HTML}`,
    operation: createNote,
    output: { id: 'integer', revision: 'integer' },
  },
  {
    name: 'svc_personal_notes_update',
    title: 'Replace a personal note',
    description: `Replaces the HTML of your note at the revision you read last, in whatever answer, or appends to it. ${NOTE_HTML}`,
    operation: updateNote,
    output: { id: 'integer', revision: 'integer' },
    destructive: true,
    reread: 'svc_personal_notes_get',
  },
  {
    name: 'svc_personal_notes_delete',
    title: 'Delete a personal note',
    description: 'Deletes your note at the revision you read last, in whatever answer, and its attachments, permanently.',
    operation: deleteNote,
    output: { id: 'integer', revision: 'integer' },
    destructive: true,
    reread: 'svc_personal_notes_get',
  },
];

/** The type of a tool: a row of the table in tools.ts. Independent of the MCP library. */
type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

export interface Tool {
  name: string;
  title: string;
  /** When to use it and what comes next, for a model that reads nothing else. */
  description: string;
  operation: Operation<object, object>;
  words?: Readonly<Record<string, string>>;
  /** Properties that the input accepts, but tools/list omits. */
  unlisted?: readonly string[];
  output: Record<string, JsonType>;
  destructive?: boolean;
  reread?: string;
}

/** Writes take a requestId in addition to their operation's input (behaviour §7.13). */
export function isWrite(tool: Tool): boolean {
  return !isRead(tool.operation);
}
