import { z } from 'zod';
import { auditKindNames } from '../audit/kinds.ts';
import { Id } from '../values/text.ts';

export const AuditFilter = z.strictObject({
  kind: z.enum(auditKindNames).nullable(),
  userId: Id.nullable(),
  /** Days in UTC, both included. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  /** Only ids below this one. Null: from the newest. */
  before: Id.nullable(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;
