/** How a page runs an operation: as the session's caller, or as a visitor, with what the form holds checked first. */

import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import type { Operation } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { waiting } from './loopTime.ts';
import type { PublicRequest } from './page.ts';

/** The operation's result as a value. Throws InvalidRequest on input that does not fit, and whatever the operation throws. */
export async function call<Input, Output>(
  { ctx, deps, caller }: PublicRequest,
  operation: Operation<Input, Output>,
  input: unknown,
): Promise<Output> {
  const wanted = () => !ctx.res.closed;
  const parsed = parseInput(operation.input, input, 'The form');
  return outputOf(await waiting(ctx, () => perform(deps.db, caller, operation, parsed, { wanted })));
}
