import { addressOf } from '../../src/pages/account/forgotten.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('an IPv4 address counts as itself in any notation, and an IPv6 one by its first 64 bits', (t) => {
  const cases = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0db8:0001:0002::9': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
  };
  for (const [ip, expected] of Object.entries(cases)) t.is(addressOf(ip), expected, ip);
});
