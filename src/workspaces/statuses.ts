/** The canonical statuses of work items, behaviour §4.11. */
import type { ItemType } from '../access/rights.ts';

export const statuses = ['planned', 'in_progress', 'blocked', 'in_review', 'pending_approval', 'approved', 'done', 'cancelled'] as const;
export type Status = (typeof statuses)[number];
export const closedStatuses: readonly Status[] = ['done', 'cancelled'];
/** Statuses that only `approvalTypes` have. */
export const approvalStatuses: readonly Status[] = ['pending_approval', 'approved'];
export const approvalTypes: readonly ItemType[] = ['requirement', 'release'];

export { type MemberRole, memberRoles } from '../accounts/schema.ts';

export const leftStates = ['deactivated', 'left'] as const;
export type Left = (typeof leftStates)[number];
