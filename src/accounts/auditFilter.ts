/** Which lines of an account's audit are shown. */
import { z } from 'zod';
import { auditKindNames } from '../audit/kinds.ts';
import { Id } from '../values/text.ts';

export const AuditFilter = z.strictObject({
  kind: z.enum(auditKindNames).nullable(),
  /** Who did it, or whom it concerns. */
  userId: Id.nullable(),
  /** Days in UTC, both included. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  /** Ids below this one; null from the newest. */
  before: Id.nullable(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;
