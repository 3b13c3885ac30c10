import fc from 'fast-check';
import { faultOfUrl, isPublicAddress } from '../../src/webhooks/address.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const refused = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'ff02::1', '100::1', '2001:db8::1'],
  // IPv4 in IPv6: mapped, compatible, translated, NAT64 by its two prefixes, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808'],
  ...['64:ff9b:1::7f00:1', '2002:7f00:1::', '2002:808:808::1', '2001:0:7f00:1::1', '4000::1', 'e000::1', 'fe80::1%eth0', '', 'localhost'],
];

for (const address of refused) {
  test(`nothing is sent to ${address || 'no address'}`, (t) => t.false(isPublicAddress(address)));
}

test('webhooks are sent to public addresses', (t) => {
  for (const address of ['8.8.8.8', '1.1.1.1', '168.63.129.15', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])
    t.true(isPublicAddress(address), address);
});

test('an IPv4 address in any notation is checked as its value', (t) => {
  for (const host of ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '127.0.0.1.', '１２７.0.0.1', '[::ffff:7f00:1]', '0'])
    t.is(faultOfUrl(`https://${host}/`, false), 'must lead to a public address.', host);
  fc.assert(
    fc.property(fc.nat(0xffffffff), fc.constantFrom(10, 16), (number, base) => {
      const spelt = base === 16 ? `0x${number.toString(16)}` : String(number);
      const dotted = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
      t.is(faultOfUrl(`https://${spelt}/`, false) === null, isPublicAddress(dotted));
    }),
  );
});

test('a URL is https, without a name, password or fragment, and limited in length', (t) => {
  t.is(faultOfUrl('https://example.org:8443/hook?a=1', false), null);
  t.is(faultOfUrl('https://localhost/hook', false), 'must lead to a public address.');
  t.regex(faultOfUrl('hook', false)!, /^is not a URL/);
  t.regex(faultOfUrl('http://example.org/', false)!, /^must be https/);
  t.regex(faultOfUrl('ftp://example.org/', true)!, /^must be https/);
  t.regex(faultOfUrl('https://ana:secret@example.org/', false)!, /^must not contain/);
  t.regex(faultOfUrl('https://example.org/#a', false)!, /fragment/);
  t.regex(faultOfUrl(`https://example.org/${'a'.repeat(2_000)}`, false)!, /^has more than 2,000/);
});

test('with WEBHOOK_PRIVATE_ADDRESSES private addresses are allowed, and http to this machine only', (t) => {
  for (const url of ['https://10.0.0.1/', 'https://localhost/', 'http://localhost:4000/', 'http://127.0.0.1/', 'http://[::1]/'])
    t.is(faultOfUrl(url, true), null, url);
  for (const url of ['http://10.0.0.1/', 'http://example.org/', 'http://127.0.0.2/'])
    t.regex(faultOfUrl(url, true)!, /^must be https/, url);
  t.regex(faultOfUrl('http://127.0.0.1/', false)!, /^must be https/);
});
