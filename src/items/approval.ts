/** Approval of requirements and releases, on the web pages only, by a workspace's owner or manager (behaviour §4.14). */
import { z } from 'zod';
import type { Changes } from '../audit/line.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden, InvalidRequest, VersionConflict } from '../values/errors.ts';
import { Id, isVisible, Text } from '../values/text.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { type ApprovalAction, approves, readStatusBefore, recordApproval, type StatusBefore } from './approvalQueries.ts';
import { type ItemFacts, readFacts } from './queries.ts';
import { mayWrite, reviseItem } from './saveItem.ts';
import { type Status, Version, type Work } from './schema.ts';

export { type ApprovalAction, approvalActions, approvers } from './approvalQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id, version: Version, comment: Text(0, 12_000) });
type Input = z.infer<typeof Input>;
type Facts = ItemFacts & { before: StatusBefore | null };

interface Step {
  action: ApprovalAction;
  /** Throws InvalidRequest if the step is not possible. */
  to(facts: Facts, comment: string): { status: Status; statusKey?: string };
}

function step({ action, to }: Step): StatementWrite<Input, Facts, Work> {
  return {
    name: `${action}Approval`,
    input: Input,

    async authorize(tx, caller, { workspaceId, id }) {
      // Keys never change approvals, not even keys of owners (behaviour §3.16).
      if (caller.kind !== 'session') throw new Forbidden();
      const permit = await readFacts(tx, caller, { workspaceId, id, people: [], targets: [] });
      if (!permit.stored) throw new Forbidden();
      mayWrite(permit, permit.stored.type);
      return { ...permit, before: await readStatusBefore(tx, permit, id) };
    },

    // Without the title: only people who may read the item may see it.
    audit(permit, { id, comment }) {
      const { status } = permit.stored!;
      const { accountId, workspaceId } = permit;
      const changes: Changes = { status: [status, to(permit, comment).status] };
      return { kind: `approval.${action}`, accountId, workspaceId, userId: null, name: '', subject: { type: 'item', id }, changes };
    },

    decide(permit, { version, comment }) {
      const stored = permit.stored!;
      if (version !== stored.version) throw new VersionConflict(stored.id, stored.version);
      const { status, statusKey } = to(permit, comment);
      const change = { status, fields: { statusKey: statusKey ?? null } };
      const before = { status: stored.status, key: stored.fields.statusKey ?? stored.status };
      return reviseItem(permit, version, stored.type, change, {
        kind: `approval.${action}`,
        condition: approves,
        record: recordApproval({ action, comment: comment.trim(), before }),
      });
    },
  };
}

export const requestApproval = step({
  action: 'requested',
  to({ stored }) {
    const { status } = stored!;
    if (status === 'pending_approval') throw new InvalidRequest(['status'], 'approval has been requested already; approve or reject it.');
    if (status === 'approved') throw new InvalidRequest(['status'], 'the item is approved already; give it another status first.');
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
    const known = statuses.some(
      ({ key, status, types }) => key === before?.key && status === before.status && types.includes(stored!.type),
    );
    // `blocked` needs a reason, and the request cleared it.
    return before && known && before.status !== 'blocked' ? { status: before.status, statusKey: before.key } : { status: 'planned' };
  },
});

function requirePending({ stored }: ItemFacts) {
  if (stored!.status !== 'pending_approval') throw new InvalidRequest(['status'], 'the item does not wait for approval; request it first.');
}
