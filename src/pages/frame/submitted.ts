/** A form that was sent: its operation runs, and the browser goes on to the next page; or the form is shown again with what is wrong. */
import type { Operation } from '../../operations/operation.ts';
import { AppError, Forbidden } from '../../values/errors.ts';
import { call } from './call.ts';
import { type Labels, problemOf } from './faults.ts';
import type { Form } from './forms.ts';
import type { Answer, PublicRequest } from './page.ts';

/** Why nothing was changed. */
export interface Refusal {
  /** All of it, in the words of the form. */
  problem: string;
  status: 400 | 409;
  error: AppError;
}

type Again = (refusal: Refusal) => Answer | Promise<Answer>;

const statusOf: Partial<Record<AppError['code'], Refusal['status']>> = { invalid_request: 400, conflict: 409 };

export const refusalOf = (error: AppError, labels: Labels): Refusal => ({
  problem: problemOf(error, labels),
  status: statusOf[error.code] ?? 400,
  error,
});

interface Refusals {
  /** What the form calls its fields. */
  labels?: Labels;
  /** The page that the form stood on, with what was typed. */
  again: Again;
  /** Where what the form names may be gone by now, and what was typed must not go with it. */
  gone?: (error: Forbidden) => Answer | Promise<Answer>;
}

/** Does `work`; what the rules refuse shows the form again. Whatever else goes wrong is not about what was typed, and is thrown on. */
export async function orAgain(work: () => Promise<Answer>, { labels = {}, again, gone }: Refusals): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Forbidden && gone) return gone(error);
    if (!(error instanceof AppError) || !statusOf[error.code]) throw error;
    return again(refusalOf(error, labels));
  }
}

interface Outcomes<Output> extends Refusals {
  /** Mostly a redirect: a page that is reloaded must not send the form again. */
  done(output: Output): Answer | Promise<Answer>;
}

/** `input` reads the form; what it throws is a refusal too. */
export function submitted<Input, Output>(
  request: PublicRequest,
  operation: Operation<Input, Output>,
  input: (form: Form) => unknown,
  { done, ...refusals }: Outcomes<Output>,
): Promise<Answer> {
  return orAgain(async () => done(await call(request, operation, await input(request.form))), refusals);
}
