import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import type { Operation } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { waiting } from './loopTime.ts';
import type { PublicRequest } from './page.ts';

/** Runs an operation and returns its result. Throws InvalidRequest on invalid input, and the operation's own errors. */
export async function call<Input, Output>(
  { ctx, deps, caller }: PublicRequest,
  operation: Operation<Input, Output>,
  input: unknown,
): Promise<Output> {
  const wanted = () => !ctx.res.closed;
  const parsed = parseInput(operation.input, input, 'The form');
  return outputOf(await waiting(ctx, () => perform(deps.db, caller, operation, parsed, { wanted })));
}
