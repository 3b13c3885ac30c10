import { z } from 'zod';
export const Values = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type Values = z.infer<typeof Values>;

export const Stored = z.object({
  code: z.enum(['invalid_request', 'conflict']),
  message: z.string(),
  details: z.object({
    currentVersion: z.number().optional(),
    currentRevision: z.number().optional(),
    index: z.number().optional(),
    conflicts: z.array(z.object({ index: z.number(), id: z.number(), currentVersion: z.number() })).optional(),
    retryAfter: z.number().optional(),
  }),
  faults: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])).readonly(), whatToDo: z.string() })),
});
export type Stored = z.infer<typeof Stored>;
