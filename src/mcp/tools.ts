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

export const tools: readonly Tool[] = [
  {
    name: 'svc_context',
    title: 'Context',
    description:
      "Call this first. Returns who you act for, today's date, and your workspaces with access levels, member ids and open goals (objectives). defaults are the statuses and priorities of every workspace; a workspace lists only its own and, in lacks, the missing ones.",
    operation: getContext,
    output: {
      actor: 'object',
      connection: 'object',
      today: 'string',
      personalNotesEnabled: 'boolean',
      personalNotes: 'array',
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
      "Lists items by filters. By default: open items assigned to you. Use assignee all for other people's, status all to include closed items. While hasMore, repeat with nextAfterId as afterId. With search, matched and snippets show where a row matches.",
    operation: findWork,
    words: {
      limit: 'Default 50, at most 100',
      dueFrom: 'YYYY-MM-DD; the days dueFrom and dueTo are included',
      ids: 'Up to 100',
      underId: 'All items below this one, at any depth',
      releaseId: 'Linked directly to this release; underId finds all below it',
    },
    output: {
      workspaceId: 'integer',
      items: 'array',
      hasMore: 'boolean',
      nextAfterId: 'integer',
      dueWindow: 'object',
      searched: 'array',
      groups: 'array',
      total: 'object',
      groupsMore: 'boolean',
    },
  },
  {
    name: 'svc_get_item',
    title: 'Read one item',
    description:
      'Returns an item with its version, the latest 100 notes and, for a requirement, its tasks. below lists other items linked directly to it. progress sums up all items below. forecastDate is the day the last task should be done; bufferedDate allows for 25 % more work. outlook compares both with the target date: overcommitted (forecast too late), at_risk (only buffered too late), needs_data (estimates or assignees missing).',
    operation: getItemWithProgressNotes,
    words: {
      history: 'Adds the latest 50 changes, newest first',
      includeOriginals: 'Adds the submitted text of rewritten notes',
    },
    output: {
      item: 'object',
      labels: 'array',
      blockedBy: 'array',
      blocks: 'array',
      notes: 'array',
      tasks: 'array',
      below: 'array',
      belowMore: 'boolean',
      progress: 'object',
      history: 'array',
    },
  },
  {
    name: 'svc_create_items',
    title: 'Create items',
    description:
      'Creates items in one workspace, all or none. Put the tasks of a new requirement into its below; for an existing one set fields.requirementId. The answer lists each item, then those below it; alsoStored names given fields that the row does not show.',
    operation: createItems,
    words: {
      items: '1 to 100, those in below included',
      below: 'New items linked to this one; default type task',
      status: 'Default planned',
      fields: FIELDS,
    },
    unlisted: ['blockedBy'],
    output: { items: 'array', warnings: 'array' },
  },
  {
    name: 'svc_update_item',
    title: 'Change an item',
    description:
      'Changes an item at the version you read last, in any answer. Omitted fields keep their value; null clears. note is added in the same commit. The answer lists in changed all fields that changed. On conflict, read again and reapply. Only people can approve.',
    operation: updateItem,
    words: { fields: SAME_FIELDS },
    output: { item: 'object', changed: 'array', note: 'object', warnings: 'array' },
    destructive: true,
    reread: 'svc_get_item',
  },
  {
    name: 'svc_update_items',
    title: 'Change many items',
    description: 'Changes items of one workspace like svc_update_item, all or none. A conflict lists all items that changed.',
    operation: updateItems,
    words: { items: '1 to 100, each once', fields: ROW_FIELDS },
    unlisted: [...fieldsOutsideRows, 'labels', 'blockedBy'],
    output: { items: 'array', warnings: 'array' },
    destructive: true,
    reread: 'svc_find_work',
  },
  {
    name: 'svc_add_note',
    title: 'Add a progress note',
    description: "Adds a progress note to an item's discussion. Not for personal notes.",
    operation: addProgressNote,
    output: { note: 'object' },
  },
  {
    name: 'svc_remove_item',
    title: 'Archive an item',
    description:
      'Archives an item at the version you read last, in any answer: it disappears, but people can restore it. If work is no longer wanted but should stay visible, set status cancelled instead. Refused while open work is linked below it or a timer runs on it.',
    operation: removeItem,
    output: { id: 'integer', version: 'integer', archived: 'boolean' },
    destructive: true,
    reread: 'svc_get_item',
  },
  {
    name: 'svc_my_time',
    title: 'Read your time and plans',
    description:
      'Returns your own time, running timer and plan blocks, with ids and revisions. Give period (default week) with a date, or from and to. upcoming: blocks of the next 90 days. Time counts by UTC day; blocks use your timezone. While hasMore, repeat with nextAfterId as afterId.',
    operation: myTime,
    output: {
      range: 'object',
      totalMinutes: 'integer',
      days: 'array',
      entries: 'array',
      timer: 'object',
      planBlocks: 'array',
      hasMore: 'boolean',
      nextAfterId: 'integer',
      warnings: 'array',
    },
  },
  {
    name: 'svc_time',
    title: 'Record your time',
    description:
      'Records your own time, on open or closed items. start: itemId, note?. stop: entryId, revision, note?. annotate (replaces the note): entryId, revision, note. log: itemId, date (UTC day), minutes (1 to 1440), note?; dayMinutes is the total of that day. correct: entryId, revision, reason, and any of minutes, date, startedAt, endedAt, itemId, note. Only one timer runs at a time; stop it before you start another. Use the revision you read last, in any answer.',
    operation: trackTime,
    output: { entry: 'object', dayMinutes: 'integer' },
    reread: 'svc_my_time',
  },
  {
    name: 'svc_plan_block',
    title: 'Plan a work block',
    description:
      "Plans your own work; it records no time. create: itemId, startLocal, endLocal (YYYY-MM-DDTHH:mm), and timezone?, note?, autoStart?, autoStop?, remindStart? (remindMinutes before the start: 0 to 120, default 10), remindEnd? (5 minutes before the end); or blocks, up to 10, all or none. move: blockId, revision, startLocal, endLocal in the block's timezone. start (also starts your timer) and cancel: blockId, revision?. Use the revision you read last, in any answer. overlaps lists your other blocks at that time.",
    operation: planBlock,
    output: { block: 'object', blocks: 'array', overlaps: 'array', warnings: 'array' },
    reread: 'svc_my_time',
  },
  {
    name: 'svc_personal_notes_list',
    title: 'List your personal notes',
    description: 'Lists your unprotected notes and folders. While hasMore, repeat with nextAfterId as afterId.',
    operation: listNotes,
    words: { limit: 'Default 50, at most 100' },
    output: { notes: 'array', folders: 'array', hasMore: 'boolean', nextAfterId: 'integer' },
  },
  {
    name: 'svc_personal_notes_get',
    title: 'Read a personal note',
    description: 'Returns a note of your own as HTML, with its revision and the names of its attachments.',
    operation: getNote,
    output: { id: 'integer', title: 'string', html: 'string', folderId: 'integer', revision: 'integer', attachments: 'array' },
  },
  {
    name: 'svc_personal_notes_create',
    title: 'Add a personal note',
    description:
      'Creates a note of your own; its first line is the title. Allowed HTML: p, h1 to h4, lists, tables, links, code, emphasis.',
    operation: createNote,
    output: { id: 'integer', revision: 'integer' },
  },
  {
    name: 'svc_personal_notes_update',
    title: 'Replace a personal note',
    description:
      'Replaces the HTML of a note, or appends to it, at the revision you read last, in any answer. Allowed HTML as in svc_personal_notes_create.',
    operation: updateNote,
    output: { id: 'integer', revision: 'integer' },
    destructive: true,
    reread: 'svc_personal_notes_get',
  },
  {
    name: 'svc_personal_notes_delete',
    title: 'Delete a personal note',
    description: 'Permanently deletes a note and its attachments, at the revision you read last, in any answer.',
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
