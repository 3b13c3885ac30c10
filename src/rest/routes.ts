/** The REST API as a table: one row per operation, behaviour §5.1. To add an endpoint, add a row. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { z } from 'zod';
import { Capacity } from '../capacity/schema.ts';
import { getCapacity } from '../capacity/snapshots/getCapacity.ts';
import { ChangePage, listChanges } from '../changes/listChanges.ts';
import { addComment, CommentList, listComments } from '../comments/addComment.ts';
import { Comment } from '../comments/schema.ts';
import type { Listens } from '../database/listen.ts';
import { answerError } from '../http/answer.ts';
import { getItem } from '../items/getItem.ts';
import { ItemPage, listItems } from '../items/listItems.ts';
import { Relations } from '../items/relationSchema.ts';
import { getRelations, saveRelations } from '../items/relations.ts';
import { saveItem } from '../items/saveItem.ts';
import { Work } from '../items/schema.ts';
import type { Operation } from '../operations/operation.ts';
import { lazy } from '../values/lazy.ts';
import { Capabilities, getCapabilities } from '../workspaces/getCapabilities.ts';
import { LabelList, WorkspaceLabel } from '../workspaces/labelSchema.ts';
import { listLabels, saveLabel } from '../workspaces/labels.ts';
import { getOptions, listWorkspaces, WorkspaceList } from '../workspaces/listWorkspaces.ts';
import { Options } from '../workspaces/schema.ts';
import { type Example, examples } from './examples.ts';
import { anyTypeRead, anyTypeWrite, capacityNeeds, listNeeds, type Need, saveNeeds } from './query.ts';

export interface Route {
  method: 'GET' | 'POST';
  path: string;
  operation: Operation<object, object>;
  answer: z.ZodType;
  summary: string;
  description: string;
  grants: string;
  /** The grants that a request with this input always needs; a refusal may name them. */
  needs?(input: object): readonly Need[];
  tag: 'Access' | 'Workspaces' | 'Items' | 'Comments' | 'Changes' | 'Capacity';
  example: Example;
  etag?: boolean;
}

export interface RouteDeps {
  secretKey: string;
  listener: Listens;
}

export function restRoutes({ secretKey, listener }: RouteDeps): Route[] {
  return [capabilities(secretKey), ...ofWorkspaces, ...ofItems, ...ofComments, changes, capacity(listener)];
}

const capabilities = (secretKey: string): Route => ({
  method: 'GET',
  path: '/capabilities',
  operation: getCapabilities(secretKey),
  answer: Capabilities,
  summary: 'The caller and its permissions',
  description: 'Authentication mode, the grants of the credential and, for a session, the CSRF value that POST needs.',
  grants: 'any valid credential',
  tag: 'Access',
  example: examples.capabilities,
});

const ofWorkspaces: Route[] = [
  {
    method: 'GET',
    path: '/workspaces',
    operation: listWorkspaces,
    answer: WorkspaceList,
    summary: 'The active workspaces that you can read',
    description: 'Archived workspaces and ended memberships are left out.',
    grants: 'workspaces:read',
    needs: () => [['workspaces:read']],
    tag: 'Workspaces',
    example: examples.workspaces,
  },
  {
    method: 'GET',
    path: '/options',
    operation: getOptions,
    answer: Options,
    summary: 'Statuses, priorities and assignees of a workspace',
    description: 'Read it before you write: status and priority keys belong to the workspace.',
    grants: 'workspaces:read and read of at least one work type',
    needs: () => [['workspaces:read'], anyTypeRead],
    tag: 'Workspaces',
    example: examples.options,
  },
  {
    method: 'GET',
    path: '/labels',
    operation: listLabels,
    answer: LabelList,
    summary: 'The labels of a workspace',
    description: 'By name, archived ones included. `items` counts the items that you can read.',
    grants: 'read of at least one work type',
    needs: () => [anyTypeRead],
    tag: 'Workspaces',
    example: examples.labels,
  },
  {
    method: 'POST',
    path: '/labels/save',
    operation: saveLabel,
    answer: WorkspaceLabel,
    summary: 'Create, change or merge a label',
    description:
      'Creates without `label.id`. With `label.mergeInto`, the items of the label get that label instead, `label.id` is deleted, and the answer is the label that remains. Names are unique in the workspace, ignoring case. Items keep their version. Idempotent only with an `Idempotency-Key`.',
    grants:
      "write of at least one work type; changing, archiving and merging need write of every work type, and the workspace's owner or a manager",
    needs: () => [anyTypeWrite],
    tag: 'Workspaces',
    example: examples.saveLabel,
  },
];

const ofItems: Route[] = [
  {
    method: 'GET',
    path: '/items',
    operation: listItems,
    answer: ItemPage,
    summary: 'One page of work items of a type',
    description: 'In id order. While `hasMore` is true, pass `nextAfter` as `after`.',
    grants: "read of the type's resource and of the parents of each item",
    needs: listNeeds,
    tag: 'Items',
    example: examples.items,
  },
  {
    method: 'GET',
    path: '/item',
    operation: getItem,
    answer: Work,
    summary: 'One work item',
    description: 'Read it before you update it: an update carries its `version`.',
    grants: "read of the item's resource and of its parents",
    tag: 'Items',
    example: examples.item,
    etag: true,
  },
  {
    method: 'POST',
    path: '/items/save',
    operation: saveItem,
    answer: Work,
    summary: 'Create or update a work item',
    description:
      'Creates without `record.id`; updates with `record.id` and the `record.version` that you read. Both carry `type`, `title`, `description`, `status` and `fields` of `record`; what may be left out is `ownerId` and the entries of `fields`, which then keep their values, while null clears them. Idempotent only with an `Idempotency-Key`: without one, read and reconcile after an uncertain answer.',
    grants: "write of the type's resource, and read of everything it links to",
    needs: saveNeeds,
    tag: 'Items',
    example: examples.saveItem,
  },
  {
    method: 'GET',
    path: '/relations',
    operation: getRelations,
    answer: Relations,
    summary: 'Labels and dependencies of a work item',
    description: 'Only items that you can read. Read it before you save relations: a save carries its `version`.',
    grants: "read of the item's resource and of its parents",
    tag: 'Items',
    example: examples.relations,
  },
  {
    method: 'POST',
    path: '/relations/save',
    operation: saveRelations,
    answer: Relations,
    summary: 'Change labels and dependencies of a work item',
    description:
      "Carries the item's `version` that you read, and raises it. `labels` and `blockedBy` replace the stored lists; a list that is left out is unchanged. Blockers that you can't read are kept. Circular dependencies are refused. Idempotent only with an `Idempotency-Key`: without one, read and reconcile after an uncertain answer.",
    grants: "write of the item's resource, and read of everything that blocks it",
    tag: 'Items',
    example: examples.saveRelations,
  },
];

const ofComments: Route[] = [
  {
    method: 'GET',
    path: '/comments',
    operation: listComments,
    answer: CommentList,
    summary: 'Comments of an item, 100 per page',
    description: 'Newest first. While `hasMore` is true, pass the id of the last one as `before`.',
    grants: 'comments:read and read of the item',
    needs: () => [['comments:read']],
    tag: 'Comments',
    example: examples.comments,
  },
  {
    method: 'POST',
    path: '/comments',
    operation: addComment,
    answer: Comment,
    summary: 'Comment on an item',
    description: 'Idempotent only with an `Idempotency-Key`: without one, read the comments and reconcile after an uncertain answer.',
    grants: 'comments:write and read of the item',
    needs: () => [['comments:write']],
    tag: 'Comments',
    example: examples.addComment,
  },
];

const changes: Route = {
  method: 'GET',
  path: '/changes',
  operation: listChanges,
  answer: ChangePage,
  summary: 'What changed in a workspace, oldest first',
  description:
    'Who changed what of which item, and each field before and after. While `hasMore` is true, pass `nextAfter` as `after`; then poll with the `nextAfter` of the last answer, even if it was empty: nothing is missed and nothing comes twice. Start with `after=latest` to get only new changes. You get only rows that you can read now; an archived item has only its archiving. Ids are not in order.',
  grants: 'workspaces:read and read of at least one work type; rows of comments need comments:read',
  needs: () => [['workspaces:read'], anyTypeRead],
  tag: 'Changes',
  example: examples.changes,
};

const capacity = (listener: Listens): Route => ({
  method: 'GET',
  path: '/capacity',
  operation: getCapacity(listener),
  answer: Capacity,
  summary: 'Forecast of eight weeks: finish dates and load of people',
  description:
    'Computed ahead by workers and renewed about a second after a change, so `today` and the figures are those of the newest snapshot. The first call for a scope, week and day waits for it, up to ten seconds, then answers 503 with Retry-After.',
  grants: 'workspaces:read, capacity:read, and read of tasks, requirements, releases and milestones; its user needs time oversight',
  needs: () => capacityNeeds,
  tag: 'Capacity',
  example: examples.capacity,
  etag: true,
});

/** GET {base}/api/v1/openapi.json: the public API document (behaviour §5.13). */
export function restDocument(make: () => object) {
  // Lazy, because most processes never serve it and it would slow their start.
  const content = lazy(() => {
    const bytes = Buffer.from(JSON.stringify(make()));
    return { bytes, zipped: promisify(gzip)(bytes) };
  });
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'docs';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return answerError(ctx, 405, 'This address accepts only GET and HEAD.');
    }
    ctx.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    ctx.type = 'application/json; charset=utf-8';
    const { bytes, zipped } = content();
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') ctx.body = bytes;
    else {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = await zipped;
    }
  };
}
