/** The roles of a membership, which an invitation to the account knows as well. */
export { type MemberRole, memberRoles } from '../accounts/schema.ts';
