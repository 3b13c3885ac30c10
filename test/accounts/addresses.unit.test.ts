/** Email addresses as users paste them. */
import fc from 'fast-check';
import { addressesIn } from '../../src/accounts/addresses.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const of = (text: string) => addressesIn(text).good.map(({ name, email }) => `${name} ${email}`);

test('addresses between commas, semicolons, blanks and lines, bare or behind a name, are each found once', (t) => {
  t.deepEqual(of('ana@acme.example, bo@acme.example;cy@acme.example\n dee@acme.example  eve@acme.example'), [
    'Ana ana@acme.example',
    'Bo bo@acme.example',
    'Cy cy@acme.example',
    'Dee dee@acme.example',
    'Eve eve@acme.example',
  ]);
  t.deepEqual(of('Ana Lind <ana@acme.example>, "Madsen, Bo" <mailto:bo@acme.example> Cy <cy@acme.example>'), [
    'Ana Lind ana@acme.example',
    'Madsen, Bo bo@acme.example',
    'Cy cy@acme.example',
  ]);
  t.deepEqual(of('ANA@acme.example\nana@ACME.example'), ['ANA ANA@acme.example']);
  t.deepEqual(of('ana.de-lind+x@acme.example'), ['Ana De Lind X ana.de-lind+x@acme.example']);
  t.deepEqual(of(' ,;\n'), []);
});

test('an invalid address is reported as typed and does not stop the others', (t) => {
  const { good, faulty } = addressesIn(
    'ana@acme.example, Bo Madsen\nnobody@, "open quote cy@acme.example\nx@y z <w>, Dee <dee@acme.example',
  );
  t.deepEqual(
    good.map(({ email }) => email),
    ['ana@acme.example', 'cy@acme.example', 'dee@acme.example'],
  );
  t.true(
    ['Bo Madsen', 'nobody@', 'x@y z <w>'].every((typed) => faulty.includes(typed)),
    faulty.join(' | '),
  );
  t.deepEqual(addressesIn('evil\u202e@acme.example').good, []);
});

test('every input gets a result: valid, invalid or blank', (t) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom('a@b', '<', '>', ',', '"', '\n', ' ', 'x'), fc.string({ maxLength: 5 }))), (pieces) => {
      const { good, faulty } = addressesIn(pieces.join(''));
      for (const { email, name } of good) t.true(email.includes('@') && name.length > 0);
      t.true(good.length + faulty.length <= pieces.join('').length);
    }),
  );
});
