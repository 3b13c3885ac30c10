import { subscriptionOf, tokenOf } from '../../src/notifications/choose.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const keys = { secretKey: 'a secret of thirty-two characters' };

test("a link names its recipient and kind, and can't be forged or changed", (t) => {
  const token = tokenOf(keys, { userId: 7, mails: 'digest' });
  t.deepEqual(subscriptionOf(keys, token), { userId: 7, mails: 'digest' });
  const [, , signed] = token.split('.');
  for (const bad of [
    `8.digest.${signed}`,
    `7.commented.${signed}`,
    `7.digest.${signed!.slice(1)}`,
    '7.digest.',
    '',
    'x'.repeat(9_000),
    `7.nothing.${signed}`,
  ])
    t.is(subscriptionOf(keys, bad), null, bad);
  t.is(subscriptionOf({ secretKey: 'another secret of many characters' }, token), null);
  t.deepEqual(subscriptionOf({ secretKey: 'another secret of many characters', previousSecretKey: keys.secretKey }, token)?.userId, 7);
});
