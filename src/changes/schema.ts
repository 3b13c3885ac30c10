/** A row of what changed (behaviour §15.1). */

export const changeKinds = [
  'item.created',
  'item.updated',
  'item.archived',
  'item.restored',
  'item.moved',
  'comment.created',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'approval.withdrawn',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Which way a change was made. */
export const vias = ['page', 'rest', 'agent', 'job', 'import', 'cli'] as const;
export type Via = (typeof vias)[number];

/** Texts too long to stand in a row: there they are `true`, and what they were is kept beside (`change_texts`). */
export const longTexts = ['description', 'acceptance'] as const;
export type LongText = (typeof longTexts)[number];

/** By name as the API spells it: `[before, after]`, or `true` of a long text. */
export type ChangedFields = Record<string, [before: unknown, after: unknown] | true>;
