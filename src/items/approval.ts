/** Approval of requirements and releases, on the web pages only, by a workspace's owner or manager (behaviour §4.14). */
import { z } from 'zod';
import type { Changes } from '../audit/line.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest, VersionConflict } from '../values/errors.ts';
import { Id, isVisible, longest, Text } from '../values/text.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { type ApprovalAction, readStatusBefore, recordApproval, type StatusBefore } from './approvalQueries.ts';
import { changeItem, workOf, writableItem } from './changeItems.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { type Status, Version, type Work } from './schema.ts';

export { type ApprovalAction, approvalActions, approvers } from './approvalQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id, version: Version, comment: Text(0, longest.comment) });
type Input = z.infer<typeof Input>;
type Facts = WriteFacts & { stored: Work; before: StatusBefore | null };

interface Step {
  action: ApprovalAction;
  /** Throws InvalidRequest if the step is not possible. */
  to(facts: Facts, comment: string): { status: Status; statusKey?: string };
}

function step({ action, to }: Step): Write<Input, Work, Facts> {
  return {
    name: `${action}Approval`,
    input: Input,

    async authorize(tx, caller, { workspaceId, id }) {
      // Keys never change approvals, not even keys of owners (behaviour §3.16).
      if (caller.kind !== 'session') throw new Forbidden();
      const permit = await readFacts(tx, caller, { workspaceId, ids: [id] });
      const stored = writableItem(permit, id);
      return { ...permit, stored, before: await readStatusBefore(tx, permit, id) };
    },

    audit: [
      {
        kind: `approval.${action}`,
        // Without the title: only people who may read the item may see it.
        line(permit, { id, comment }) {
          const { accountId, workspaceId, stored } = permit;
          const changes: Changes = { status: [stored.status, to(permit, comment).status] };
          return { kind: `approval.${action}`, accountId, workspaceId, userId: null, name: '', subject: { type: 'item', id }, changes };
        },
      },
    ],

    async run(tx, permit, { id, version, comment }) {
      const { stored } = permit;
      if (version !== stored.version) throw new VersionConflict(id, stored.version);
      const { status, statusKey } = to(permit, comment);
      const change = { status, fields: { statusKey: statusKey ?? null } };
      const { item } = await changeItem(tx, permit, { id, version, change }, `approval.${action}`);
      const before = { status: stored.status, key: stored.fields.statusKey ?? stored.status };
      await recordApproval(tx, permit, id, { action, comment: comment.trim(), before });
      return workOf(permit, item);
    },
  };
}

export const requestApproval = step({
  action: 'requested',
  to({ stored }) {
    const { status } = stored;
    if (status === 'pending_approval') throw new InvalidRequest(['status'], 'approval was already requested; approve or reject it.');
    if (status === 'approved') throw new InvalidRequest(['status'], 'the item is already approved; give it another status first.');
    if (closedStatuses.includes(status)) throw new InvalidRequest(['status'], 'the item is closed; give it an open status first.');
    return { status: 'pending_approval' };
  },
});

export const approve = step({
  action: 'approved',
  to(facts) {
    requirePending(facts);
    return { status: 'approved' };
  },
});

export const reject = step({
  action: 'rejected',
  to(facts, comment) {
    requirePending(facts);
    if (!isVisible(comment)) throw new InvalidRequest(['comment'], 'say what has to change.');
    const { before, statuses, stored } = facts;
    const known = statuses.some(({ key, status, types }) => key === before?.key && status === before.status && types.includes(stored.type));
    // `blocked` needs a reason, and the request cleared it.
    return before && known && before.status !== 'blocked' ? { status: before.status, statusKey: before.key } : { status: 'planned' };
  },
});

function requirePending({ stored }: Facts) {
  if (stored.status !== 'pending_approval')
    throw new InvalidRequest(['status'], 'the item is not waiting for approval; request approval first.');
}
