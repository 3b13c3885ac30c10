/** Mail to a remote server needs TLS. */
import { readConfig } from '../src/config.ts';
import { NotSent, sendMail } from '../src/mailer.ts';
import { mailServer } from './support/smtp.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const mail = { to: 'ana@acme.example', subject: 'Hello', text: 'A link' };

test('issue 12.13, outbound TLS: a mail server that is not named loopback gets nothing without TLS, whatever its address says', async (t) => {
  const server = await mailServer(t);
  await sendMail(server.url, 'stint@acme.example', mail);
  t.is(server.taken.length, 1);
  // This machine under another name.
  const elsewhere = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
  for (const options of ['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true', '?secure=false&requireTLS=0']) {
    await t.throwsAsync(() => sendMail(elsewhere + options, 'stint@acme.example', mail), { instanceOf: NotSent }, options);
    t.is(server.texts, 1, options);
  }
});

test('issue 12.13, outbound TLS: a remote model needs https, or the process does not start', (t) => {
  const sound = { DATABASE_URL: 'postgres://u:p@db.example/stint', SECRET_KEY: 'x'.repeat(32) };
  const read = (OPENAI_BASE_URL: string) => readConfig({ ...sound, OPENAI_BASE_URL }).rewrite.baseUrl;
  for (const url of ['http://model.example/v1', 'http://localhost.example/v1', 'http://127.0.0.1.example/v1']) {
    t.throws(() => read(url), { message: /OPENAI_BASE_URL: must be https/ }, url);
  }
  for (const url of ['https://model.example/v1', 'http://localhost:11434/v1', 'http://127.0.0.1:1/v1', 'http://[::1]:1/v1'])
    t.is(read(url), url);
});

test('a mail has one recipient, whatever its address contains', async (t) => {
  const server = await mailServer(t);
  for (const to of [
    'friends:ana@acme.example,eve@evil.example;',
    '"ana@acme.example, " <eve@evil.example>',
    'ana@acme.example, eve@evil.example',
  ]) {
    await sendMail(server.url, 'stint@acme.example', { ...mail, to }).catch(() => {});
    t.false(
      server.recipients.some((recipient) => ['<ana@acme.example>', '<eve@evil.example>'].includes(recipient)),
      to,
    );
  }
  await sendMail(server.url, 'stint@acme.example', mail);
  t.is(server.recipients.at(-1), '<ana@acme.example>');
});
