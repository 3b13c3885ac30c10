/** A realistic request and response per operation, for the API document. A test checks them against the schemas. */
import { fieldNames, fields as table } from '../items/fields.ts';
import { scopeNote } from '../values/scopeNote.ts';

export interface Example {
  requests: Record<string, Record<string, unknown>>;
  answer: unknown;
}

const fields = {
  ...Object.fromEntries(fieldNames.map((name) => [name, table[name].example ?? null])),
  assigneeName: 'Ana Ruiz',
};

const item = {
  id: 42,
  type: 'task',
  title: 'Expire reset links',
  description: 'Links in reset mails work for one hour.',
  status: 'in_progress',
  version: 7,
  ownerId: 3,
  fields,
};

const change = { id: 42, type: 'task', title: item.title, description: item.description, version: 6 };
const comment = { id: 318, body: 'The clock of the mail server is two minutes slow.', createdAt: '2026-04-14T09:26:53.589Z' };

const label = { id: 5, name: 'Security', color: 'violet', archived: false, items: 12 };
const relations = {
  ...{ id: 42, version: 8, labels: [{ id: 5, name: label.name }] },
  blockedBy: [{ id: 38, lagDays: 0 }],
  blocks: [{ id: 51, lagDays: 2 }],
};

const week = {
  week: '2026-04-13',
  availableHours: 40,
  allocatedHours: 12,
  plannedHours: 6,
  recordedHours: 3,
  overHours: 0,
  overextended: false,
  loadPercent: 37.5,
};

const forecast = {
  id: 17,
  title: 'Passwords can be reset',
  targetDate: '2026-04-30',
  forecastDate: '2026-04-15',
  bufferedDate: '2026-04-15',
  scopeHours: 12,
  remainingHours: 9,
  bufferedHours: 10.8,
  weightedProgress: 25,
  outlook: 'within_capacity',
  method: 'edf-daily/1',
  dataIncomplete: false,
  trend: [{ date: '2026-04-13', scopeHours: 12, remainingHours: 12, weightedProgress: 0 }],
  work: [
    {
      id: 42,
      title: 'Expire reset links',
      status: 'in_progress',
      assigneeId: 3,
      startDate: '2026-04-13',
      dueDate: '2026-04-17',
      estimatedHours: 12,
      progressPercent: 25,
      remainingHours: 9,
      forecastStart: '2026-04-14',
      forecastDate: '2026-04-15',
      late: false,
      issues: [],
    },
  ],
};

export const examples = {
  capabilities: {
    requests: { read: {} },
    answer: {
      apiVersion: '1.0.0',
      authentication: { mode: 'key', keyName: 'Reporting', expiresAt: '2027-01-01T00:00:00.000Z' },
      actor: { id: 3, name: 'Ana Ruiz' },
      grants: ['workspaces:read', 'tasks:read', 'comments:read'],
      csrfToken: null,
    },
  },
  workspaces: {
    requests: { read: {} },
    answer: { workspaces: [{ id: 1, name: 'Apollo', uuid: '7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11', sample: false }] },
  },
  options: {
    requests: { read: { workspaceId: 1 } },
    answer: {
      statuses: [
        { key: 'in_progress', label: 'In progress', status: 'in_progress', types: ['task', 'goal'], closed: false, approval: false },
      ],
      priorities: [{ key: 'normal', label: 'Normal', rank: 2, default: true }],
      assignees: [{ id: 3, name: 'Ana Ruiz' }],
    },
  },
  labels: { requests: { read: { workspaceId: 1 } }, answer: { labels: [label] } },
  saveLabel: {
    requests: {
      create: { workspaceId: 1, label: { name: label.name, color: label.color } },
      rename: { workspaceId: 1, label: { id: 5, name: label.name } },
      merge: { workspaceId: 1, label: { id: 9, name: 'security issue', mergeInto: 5 } },
    },
    answer: label,
  },
  relations: { requests: { read: { workspaceId: 1, id: 42 } }, answer: relations },
  saveRelations: {
    requests: {
      labels: { workspaceId: 1, id: 42, version: 7, labels: [5] },
      blockedBy: { workspaceId: 1, id: 42, version: 7, blockedBy: [{ id: 38 }] },
    },
    answer: relations,
  },
  items: {
    requests: { read: { workspaceId: 1, type: 'task', label: 5, after: 0, limit: 50 } },
    answer: { items: [item], hasMore: true, nextAfter: 42 },
  },
  item: { requests: { read: { workspaceId: 1, id: 42 } }, answer: item },
  saveItem: {
    requests: {
      create: {
        workspaceId: 1,
        record: { type: 'task', title: item.title, description: '', status: 'planned', fields: { requirementId: 17, estimatedHours: 12 } },
      },
      update: { workspaceId: 1, record: { ...change, status: 'in_progress', fields: { progressPercent: 25 } } },
      block: { workspaceId: 1, record: { ...change, status: 'blocked', fields: { blockedReason: 'Waiting for the new mail server.' } } },
    },
    answer: item,
  },
  comments: { requests: { read: { workspaceId: 1, id: 42, before: 320 } }, answer: { comments: [comment], hasMore: false } },
  changes: {
    requests: { read: { workspaceId: 1, after: '1-9ix-2g', limit: 50, itemId: 42 } },
    answer: {
      changes: [
        {
          id: 90,
          at: '2026-04-14T09:21:07.113Z',
          kind: 'item.updated',
          itemId: 42,
          type: 'task',
          title: item.title,
          version: 7,
          actor: { id: 3, name: 'Ana Ruiz' },
          via: 'rest',
          keyName: 'Reporting',
          fields: { status: ['planned', 'in_progress'], statusKey: ['planned', 'in_progress'], description: true },
        },
        {
          id: 91,
          at: comment.createdAt,
          kind: 'comment.created',
          itemId: 42,
          type: 'task',
          title: item.title,
          version: 7,
          actor: { id: 3, name: 'Ana Ruiz' },
          via: 'page',
          keyName: null,
          commentId: comment.id,
          fields: {},
        },
      ],
      nextAfter: 's-Qm9hdHMgZ28gc2xvd2x5IGFsb25nIHRoZSByaXZlciB1bnRpbCB0aGV5IGFycml2',
      hasMore: false,
    },
  },
  capacity: {
    requests: { read: { workspaceId: 1, from: '2026-04-14' } },
    answer: {
      workspaceId: 1,
      today: '2026-04-14',
      from: '2026-04-13',
      weeks: 8,
      timezone: 'UTC',
      canManage: false,
      scopeNote: scopeNote.one,
      projects: [forecast],
      people: [{ id: 3, name: 'Ana Ruiz', weeklyHours: 40, confirmed: true, weeks: [week] }],
    },
  },
  addComment: { requests: { comment: { workspaceId: 1, id: 42, body: comment.body } }, answer: comment },
} satisfies Record<string, Example>;
