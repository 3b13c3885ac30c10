/** Changes of every kind, with and without an effect on the forecast. */
import { changeAccountRole, changeWeeklyHours } from '../../../src/accounts/people.ts';
import { addComment } from '../../../src/comments/addComment.ts';
import { approve, requestApproval } from '../../../src/items/approval.ts';
import { removeItem } from '../../../src/items/archiveItems.ts';
import { createItems } from '../../../src/items/createItems.ts';
import { saveItem } from '../../../src/items/saveItem.ts';
import { updateItem } from '../../../src/items/updateItem.ts';
import { createNote } from '../../../src/personal-notes/writeNote.ts';
import { dropMember, setActive } from '../../../src/plans/leave.ts';
import { planBlock } from '../../../src/plans/planBlock.ts';
import { trackTime } from '../../../src/time/trackTime.ts';
import { archiveWorkspace, changeMcp, putMember, renameWorkspace } from '../../../src/workspaces/administer.ts';
import * as workflow from '../../../src/workspaces/workflow.ts';
import { everything } from '../../support/mcpWorld.ts';
import { type Any, act, type Place, world } from './place.ts';

const made = async ({ workspaceId }: Place, type: string, more = '') =>
  world.value(
    `insert into items (account_id, workspace_id, type, title, status, status_key)
     select account_id, id, $2, 'Made before', 'planned', 'planned' from workspaces where id = $1 ${more} returning id`,
    [workspaceId, type],
  ) as Promise<number>;

/** Saves the team's task with other fields. */
const saving =
  (fields: object, record: object = {}) =>
  ({ owner, workspaceId, itemId }: Place) =>
    act(owner, saveItem, {
      workspaceId,
      record: { id: itemId, version: 1, type: 'task', title: 'Write the report', description: '', status: 'planned', fields, ...record },
    });
const linking = (name: string, type: string) => async (at: Place) => saving({ [name]: await made(at, type) })(at);

export const time = (at: Place, given: object) => act(at.person, trackTime, given);
export const log = (at: Place) => time(at, { action: 'log', itemId: at.itemId, date: '2026-03-02', minutes: 30 });
const block = (at: Place, given: object) => act(at.person, planBlock, given);
const planned = (at: Place) =>
  block(at, { action: 'create', itemId: at.itemId, startLocal: '2090-03-02T09:00', endLocal: '2090-03-02T10:00' });
const member = (at: Place, more: object) => ({
  workspaceId: at.workspaceId,
  userId: at.colleagueId,
  role: 'member',
  access: {},
  timeOversight: null,
  ...more,
});
const leave = ({ workspaceId, colleagueId }: Place) =>
  world.rows('delete from memberships where workspace_id = $1 and user_id = $2', [workspaceId, colleagueId]);

type Change = (at: Place) => Promise<unknown>;
/** Optional preparing steps, and the change. */
export type Row = [title: string, ...steps: [Change] | [Change, (at: Place, before: Any) => Promise<unknown>]];

export const changes: Row[] = [
  [
    'an item created',
    ({ owner, workspaceId }) =>
      act(owner, saveItem, { workspaceId, record: { type: 'task', title: 'New', description: '', status: 'planned', fields: {} } }),
  ],
  [
    'items created by an agent',
    async (at) => act(await at.agent(), createItems, { workspaceId: at.workspaceId, items: [{ type: 'task', title: 'New' }] }),
  ],
  ['a title', saving({}, { title: 'Another title' })],
  ['a status', saving({}, { status: 'done' })],
  ['an assignee', (at) => saving({ assigneeId: at.colleagueId })(at)],
  ['an estimate', saving({ estimatedHours: 3 })],
  ['progress', saving({ progressPercent: 50 })],
  ['a due date', saving({ dueDate: '2026-03-02' })],
  ['a start date', saving({ startDate: '2026-03-02' })],
  ['a priority', saving({ priorityKey: 'high' })],
  ['a link to a release', linking('releaseId', 'release')],
  ['a link to a requirement', linking('requirementId', 'requirement')],
  ['a link to a milestone', linking('parentItemId', 'milestone')],
  ['a link to a parent task', linking('parentItemId', 'task')],
  [
    'an estimate set by an agent',
    async (at) => act(await at.agent(), updateItem, { id: at.itemId, version: 1, fields: { estimatedHours: 3 } }),
  ],
  [
    'a target date of a release',
    (at) => made(at, 'release'),
    ({ owner, workspaceId }, id) =>
      act(owner, saveItem, {
        workspaceId,
        record: {
          id,
          version: 1,
          type: 'release',
          title: 'Made before',
          description: '',
          status: 'planned',
          fields: { targetDate: '2026-03-02' },
        },
      }),
  ],
  [
    'an approval',
    async (at) => {
      const id = await made(at, 'release');
      return act(at.owner, requestApproval, { workspaceId: at.workspaceId, id, version: 1, comment: '' });
    },
    ({ owner, workspaceId }, { id, version }) => act(owner, approve, { workspaceId, id, version, comment: '' }),
  ],
  ['an item archived', async (at) => act(await at.agent({ tasks: 'delete' }), removeItem, { id: at.itemId, version: 1 })],
  ['time logged', log],
  [
    'a timer stopped',
    (at) => time(at, { action: 'start', itemId: at.itemId }),
    (at, { entry: { id, revision } }) => time(at, { action: 'stop', entryId: id, revision }),
  ],
  ['time corrected', log, (at, { entry }) => time(at, { action: 'correct', entryId: entry.id, revision: 1, reason: 'less', minutes: 20 })],
  ['a block planned', planned],
  ['a block cancelled', planned, (at, { block: { id } }) => block(at, { action: 'cancel', blockId: id })],
  ['a member added', leave, (at) => act(at.owner, putMember, member(at, {}))],
  ['a member removed', (at) => act(at.owner, dropMember, { workspaceId: at.workspaceId, userId: at.colleagueId })],
  ['a role', (at) => act(at.owner, putMember, member(at, { role: 'viewer' }))],
  ['lowered access', (at) => act(at.owner, putMember, member(at, { access: { tasks: 'read' } }))],
  ['a person deactivated', (at) => act(at.owner, setActive, { userId: at.colleagueId, active: false })],
  [
    'a person activated again',
    ({ colleagueId }) => world.rows('update users set active = false where id = $1', [colleagueId]),
    (at) => act(at.owner, setActive, { userId: at.colleagueId, active: true }),
  ],
  ['weekly hours', (at) => act(at.owner, changeWeeklyHours, { userId: at.colleagueId, weeklyHours: 20 })],
  [
    'weekly hours of a person who left with work assigned',
    async (at) => {
      await world.rows('update items set assignee_id = $2 where id = $1', [at.itemId, at.colleagueId]);
      await leave(at);
    },
    (at) => act(at.owner, changeWeeklyHours, { userId: at.colleagueId, weeklyHours: 20 }),
  ],
  [
    'the rank of a priority',
    (at) => act(at.owner, workflow.changePriority, { workspaceId: at.workspaceId, key: 'low', label: 'Low', rank: 500 }),
  ],
  ['a workspace archived', (at) => act(at.owner, archiveWorkspace, { workspaceId: at.workspaceId, archived: true })],
];

export const others: Row[] = [
  ['a description', saving({}, { description: 'More of it' })],
  ['a save that changes nothing', saving({})],
  ['an acceptance criterion', saving({ acceptance: 'It is read' })],
  ['a link to a goal', linking('goalId', 'goal')],
  [
    'a goal',
    ({ owner, workspaceId }) =>
      act(owner, saveItem, { workspaceId, record: { type: 'goal', title: 'New', description: '', status: 'planned', fields: {} } }),
  ],
  ['a comment', ({ owner, workspaceId, itemId }) => act(owner, addComment, { workspaceId, id: itemId, body: 'Well done' })],
  [
    'a personal note',
    async (at) => {
      const agent = await at.agent();
      await world.rows('update connections set note_rights = 15 where id = $1', [agent.connectionId]);
      return act(agent, createNote, { html: '<p>Mine</p>' });
    },
  ],
  ['a timer started', (at) => time(at, { action: 'start', itemId: at.itemId })],
  [
    'a note on recorded time',
    log,
    (at, { entry }) => time(at, { action: 'annotate', entryId: entry.id, revision: 1, note: 'what it was' }),
  ],
  ['a block started', planned, (at, { block: { id } }) => block(at, { action: 'start', blockId: id })],
  ['a workspace renamed', (at) => act(at.owner, renameWorkspace, { workspaceId: at.workspaceId, name: 'Gemini' })],
  ['the limits of agents', (at) => act(at.owner, changeMcp, { workspaceId: at.workspaceId, enabled: false, limits: everything })],
  ['an account role', (at) => act(at.owner, changeAccountRole, { userId: at.colleagueId, accountRole: 'admin' })],
  [
    'the label of a status',
    (at) => act(at.owner, workflow.renameWord, { workspaceId: at.workspaceId, kind: 'statuses', key: 'planned', label: 'To do' }),
  ],
  [
    'a new status',
    (at) =>
      act(at.owner, workflow.addStatus, { workspaceId: at.workspaceId, key: 'later', label: 'Later', status: 'planned', types: ['task'] }),
  ],
  [
    'a new, unused priority',
    (at) => act(at.owner, workflow.addPriority, { workspaceId: at.workspaceId, key: 'never', label: 'Never', rank: -9 }),
  ],
  ['the default priority', (at) => act(at.owner, workflow.setDefaultPriority, { workspaceId: at.workspaceId, key: 'low' })],
];
