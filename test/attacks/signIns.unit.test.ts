/** A storm of sign-ins is refused before it delays other users. */
import { verifyPassword } from '../../src/accounts/password.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test.long('of very many concurrent sign-ins most passwords are not checked, and the next sign-in is', async (t) => {
  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => verifyPassword('guess', null)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  t.true(refused.length >= 150 && refused.length < 200, String(refused.length));
  t.true(refused.every((error) => error instanceof AppError && error.code === 'unavailable' && error.details.retryAfter === 1));
  t.false(await verifyPassword('guess', null));
});
