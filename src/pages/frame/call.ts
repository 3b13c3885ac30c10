/** How a page runs an operation: as the session's caller, or as a visitor, with what the form holds checked first. */

import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import type { Operation } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { type AppError, Conflict, InvalidRequest, VersionConflict } from '../../values/errors.ts';
import type { PublicRequest } from './page.ts';

/** The operation's result as a value. Throws InvalidRequest on input that does not fit, and whatever the operation throws. */
export async function call<Input, Output>(
  { deps, caller }: PublicRequest,
  operation: Operation<Input, Output>,
  input: unknown,
): Promise<Output> {
  return outputOf(await perform(deps.db, caller, operation, parseInput(operation.input, input, 'The form')));
}

/** Runs a change; what the rules refuse is shown where it was asked for, with what was typed. `show` gets the HTTP status, too. */
export async function orShow<Shown>(
  work: () => Promise<Shown>,
  show: (refusal: AppError, status: number) => Promise<Shown>,
): Promise<Shown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidRequest) return show(error, 400);
    if (error instanceof Conflict && !(error instanceof VersionConflict)) return show(error, 409);
    throw error;
  }
}
