import type { Operation } from '../../operations/operation.ts';
import { AppError, Forbidden } from '../../values/errors.ts';
import { call } from './call.ts';
import { type Labels, problemOf } from './faults.ts';
import type { Form } from './forms.ts';
import type { Answer, PublicRequest } from './page.ts';

export interface Refusal {
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
  labels?: Labels;
  again: Again;
  /** Handles Forbidden: an object named in the form may be deleted, but the submitted text must not be lost. */
  gone?: (error: Forbidden) => Answer | Promise<Answer>;
}

/** Runs `work` and shows the form again on refusals. Rethrows errors that are not about the submitted values. */
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
  /** Usually a redirect, so that a reload does not submit the form again. */
  done(output: Output): Answer | Promise<Answer>;
}

/** `input` reads the form; an AppError it throws counts as a refusal. */
export function submitted<Input, Output>(
  request: PublicRequest,
  operation: Operation<Input, Output>,
  input: (form: Form) => unknown,
  { done, ...refusals }: Outcomes<Output>,
): Promise<Answer> {
  return orAgain(async () => done(await call(request, operation, await input(request.form))), refusals);
}
