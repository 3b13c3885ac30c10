/** Values of accounts and users (behaviour §3.1). */
import { z } from 'zod';
import { Text } from '../values/text.ts';

export { type AccountRole, accountRoles } from '../access/accountAccessQueries.ts';

/** Roles of a membership. sql/0002_rights.sql has their rights (behaviour §3.3). */
export const memberRoles = ['owner', 'manager', 'member', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const userKinds = ['person', 'service'] as const;
export type UserKind = (typeof userKinds)[number];

/** A dot-atom and a host name, with the letters of RFC 6531. Other forms are refused: mail servers parse them differently. */
const ADDRESS = /^(?!\.|.*(?:\.[.@]|\.$))[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?![.-]|.*(?:\.-|-\.|-$))[\p{L}\p{M}\p{N}.-]+$/u;
export const Email = Text(3, 320).refine((text) => ADDRESS.test(text), 'give an email address such as ana@acme.example');

/** The canonical spelling, for every lookup and count by address. */
export const normalEmail = (typed: string): string => typed.normalize('NFKC').toLowerCase();

const hoursMessage = 'give hours per week, from 0 to 168';
/** Null: never confirmed. Stored as whole minutes. */
export const WeeklyHours = z.number({ error: hoursMessage }).min(0, hoursMessage).max(168, hoursMessage).nullable();

export function weeklyMinutes(hours: number | null): number | null {
  return hours === null ? null : Math.round(hours * 60);
}
