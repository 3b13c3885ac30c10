/** Checks what a caller sent against a zod schema, and says in one sentence what to mend. */
import type { z } from 'zod';
import { InvalidRequest } from './errors.ts';

/** The parsed value. Throws InvalidRequest naming the first field at fault by its path, `whole` where it is all of it, and in a batch
 *  the index. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, whole = 'The body'): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const index = issue.path.find((step) => typeof step === 'number');
  throw new InvalidRequest(sentence(issue, whole), index === undefined ? {} : { index });
}

function sentence(issue: z.core.$ZodIssue, whole: string): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return `${[...issue.path, key].join('.').slice(0, 200)}: is not known here; leave it out.`;
  }
  const missing = issue.input === undefined;
  const what = missing ? 'is required' : issue.message.replace(/\.$/, '');
  return `${path || whole}: ${what}.`;
}
