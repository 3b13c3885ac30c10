import { Webhook } from 'standardwebhooks';
import { bodyOf, headersOf, nextAttemptIn } from '../../src/webhooks/deliver.ts';
import { newSigningSecret, seal, unseal } from '../../src/webhooks/seal.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const keys = { secretKey: 'a secret of thirty-two characters' };

test('a receiver verifies with its own secret, and with either of two during a rotation', (t) => {
  const [latest, old, foreign] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const body = bodyOf('item.updated', '2026-03-02T09:00:00.000Z', { title: 'Ünïcode “quoted”' });
  const headers = headersOf({ id: '7', body }, [latest, old], new Date());
  t.is(headers['webhook-id'], '7');
  for (const secret of [latest, old])
    t.like(new Webhook(secret).verify(body, headers), { type: 'item.updated', data: { title: 'Ünïcode “quoted”' } });
  t.throws(() => new Webhook(foreign).verify(body, headers));
  t.throws(() => new Webhook(latest).verify(`${body} `, headers));
});

test('an encrypted secret opens only with its key, in its workspace, unchanged', (t) => {
  const secret = newSigningSecret();
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const sealed = seal(keys.secretKey, 5, secret);
  t.false(sealed.includes(secret) || sealed.includes(secret.slice(6)));
  t.notDeepEqual(sealed, seal(keys.secretKey, 5, secret));
  t.deepEqual(unseal(keys, 5, sealed), { secret, old: false });
  t.is(unseal(keys, 6, sealed), null);
  t.is(unseal({ secretKey: 'another secret of thirty-two characters' }, 5, sealed), null);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    t.is(unseal(keys, 5, changed), null);
  }
  t.is(unseal(keys, 5, Buffer.alloc(0)), null);
});

test('after a rotation of SECRET_KEY the previous key opens what it encrypted', (t) => {
  const sealed = seal('the secret before of thirty-two characters', 5, 'whsec_abc');
  const rotated = { ...keys, previousSecretKey: 'the secret before of thirty-two characters' };
  t.deepEqual(unseal(rotated, 5, sealed), { secret: 'whsec_abc', old: true });
});

test('a failed message is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more', (t) => {
  const [minute, hour] = [60, 3_600];
  const expected = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour, null];
  t.deepEqual(
    expected.map((_seconds, at) => nextAttemptIn(at + 1)),
    expected,
  );
});
