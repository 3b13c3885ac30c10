/** Accepted email addresses. */
import { Email } from '../../src/accounts/schema.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('an email address is a dot-atom at a host name', (t) => {
  const good = [
    'ana@acme.example',
    'ana.lind+stint@mail.acme.example',
    "o'neil_x-1@a-b.example",
    'ana@localhost',
    'zoë@müller.example',
    '用户@例子.example',
  ];
  for (const address of good) t.true(Email.safeParse(address).success, address);
});

test('email addresses with comments, groups, quoted parts or address literals are refused', (t) => {
  const bad = [
    'ana(home)@acme.example',
    'ana@acme.example(x)',
    'friends:ana@acme.example;',
    '"ana"@acme.example',
    '<ana@acme.example>',
    'Ana<ana@acme.example',
    'ana@acme.example,eve',
    'a,b@acme.example',
    'a;b@acme.example',
    'a\\b@acme.example',
    'ana@[127.0.0.1]',
    'a@b@acme.example',
    'a b@acme.example',
    '.ana@acme.example',
    'ana.@acme.example',
    'a..b@acme.example',
    'ana@.acme',
    'ana@acme.',
    'ana@a..b',
    'ana@-acme.example',
    'ana@acme-.example',
    'ana@acme.-x',
    'ana@acme-',
    'ana@',
    '@acme.example',
    'ana',
    'ana@acme_x.example',
    'ana\n@acme.example',
    'ana@acme.example\n',
    'evil\u202e@acme.example',
    'an\u200da@acme.example',
  ];
  for (const address of bad) {
    const { error } = Email.safeParse(address);
    t.is(error?.issues[0]?.message, 'give an email address such as ana@acme.example', address);
  }
});
