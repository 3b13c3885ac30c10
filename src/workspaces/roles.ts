/** The roles of a membership; what each gives is sql/0002_rights.sql (behaviour §3.3). */
export const memberRoles = ['owner', 'manager', 'member', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];
