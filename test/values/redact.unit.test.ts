import { redact } from '../../src/values/secretKeys.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('errors are shown without mail addresses, passwords, keys and links, and otherwise unchanged', (t) => {
  const shown = {
    '550 5.1.1 <Ana.Lind@acme.example>: no such user': '550 5.1.1 <[address]>: no such user',
    'mailto=bo+x@sub.acme.example, refused': 'mailto=[address], refused',
    'connect to smtps://user:p@ss/word@mail.example:465 failed': 'connect to smtps://[secret]@mail.example:465 failed',
    'https://work.example/stint/invitation?i=4&t=Zm9vYmFy-1 is dead': 'https://work.example/stint/invitation?i=4&t=[secret] is dead',
    'Authorization: Bearer abc.def': 'Authorization: Bearer [secret]',
    'key stint_agent_Q2hhbmdlIG1lIHBsZWFzZQ0123 ended': 'key [secret] ended',
    'password=hunter2 was wrong': 'password=[secret] was wrong',
  };
  for (const [text, expected] of Object.entries(shown)) t.is(redact(text), expected);
  for (const text of [
    'at dispatch (/app/node_modules/@koa/router/lib/router.js:10:3)',
    'connect ECONNREFUSED 10.0.0.5:25',
    'duplicate key value violates unique constraint "notifications_invitation"',
    'Error\n    at sendMail (/app/src/mailer.ts:38:11)',
    "Can't send mail - all recipients were rejected: 451 4.7.1 later",
  ])
    t.is(redact(text), text);
});
