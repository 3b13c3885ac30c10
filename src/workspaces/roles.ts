/** The roles of a membership, which an invitation to the account knows as well. */
export { type MemberRole, memberRoles } from '../accounts/schema.ts';

/** Why a person is no active member of a workspace. */
export const leftStates = ['deactivated', 'left'] as const;
export type Left = (typeof leftStates)[number];
