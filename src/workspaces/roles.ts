export { type MemberRole, memberRoles } from '../accounts/schema.ts';

export const leftStates = ['deactivated', 'left'] as const;
export type Left = (typeof leftStates)[number];
