import { hashPassword, Password, verifyPassword } from '../../src/accounts/password.ts';
import { mallocEnv } from '../../src/start/services.ts';
import { PASSWORD, PASSWORD_HASH } from '../support/password.ts';
import { spawnFor } from '../support/processes.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a password matches its own hash only, and never a missing hash', async (t) => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  t.not(one, other);
  t.regex(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const answers = [verifyPassword('correct horse', one), verifyPassword('correct  horse', one), verifyPassword('correct horse', null)];
  t.deepEqual(await Promise.all(answers), [true, false, false]);
});

test('a hash of another cost than the current one still matches its password', async (t) => {
  t.true(await verifyPassword(PASSWORD, PASSWORD_HASH));
  t.false(await verifyPassword(`${PASSWORD}!`, PASSWORD_HASH));
});

test('a password is 1 byte to 1 KiB of UTF-8', async (t) => {
  const accepts = (password: string) => Password.safeParse(password).success;
  t.true(accepts('x'.repeat(1024)));
  t.true(accepts('ä'.repeat(512)));
  t.false(accepts(''));
  t.false(accepts('x'.repeat(1025)));
  t.false(accepts('ä'.repeat(513)));
  t.false(accepts('a\0b'));
  t.false(await verifyPassword('x'.repeat(1025), null));
});

test('a process keeps no memory of password checks', async (t) => {
  const script = `import { hashPassword } from './src/accounts/password.ts';
    const before = process.memoryUsage.rss();
    for (let n = 0; n < 8; n++) await hashPassword('correct horse');
    console.log('kept', Math.round((process.memoryUsage.rss() - before) / 2 ** 20));`;
  const { line } = spawnFor(t, ['--input-type=module', '--eval', script], { env: mallocEnv });
  const kept = Number((await line(/^kept/)).slice('kept'.length));
  t.true(kept < 19, `${kept} MB`);
});
