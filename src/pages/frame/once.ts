import { hash } from 'node:crypto';
import { sendOnce } from '../../operations/sentForms.ts';
import { type Answer, addressOf, type PageRequest } from './page.ts';
import { fieldNames } from './postForm.ts';

/** Hash of the form's values: a form that is changed after Back counts as a new one. */
function nonceOf({ ctx, form }: PageRequest): string {
  const values = form.names.filter((name) => name !== fieldNames.csrf).map((name) => [name, form.all(name)]);
  return hash('sha256', JSON.stringify([ctx.path, values, form.upload?.name, form.upload?.size]), 'base64url');
}

/** The form was refused, or a confirmation is needed. */
const isUndone = (answer: Answer): boolean => ('status' in answer && (answer.status ?? 200) >= 400) || 'question' in answer;

/** Handles the form, or repeats its first answer. Throws Conflict if that answer was a page shown only once. */
export async function once(request: PageRequest, handle: (request: PageRequest) => Promise<Answer>): Promise<Answer> {
  if (!request.form.has(fieldNames.once)) return handle(request);
  return sendOnce<Answer>(request.deps.db, request.caller, nonceOf(request), {
    handle: (caller) => handle({ ...request, caller }),
    destinationOf: (answer) => ('redirect' in answer ? addressOf(answer) : isUndone(answer) ? null : ''),
    redirectTo: (redirect) => ({ redirect }),
  });
}
