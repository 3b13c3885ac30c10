/** Checks webhook URLs (behaviour §16.3). Users choose an address that our server connects to from inside its network (SSRF). Pure. */
import ipaddr from 'ipaddr.js';
import { loopback } from '../values/hosts.ts';

/** Every Azure virtual machine reads its keys and configuration from this address, though it is in the public range. */
const AZURE_PLATFORM = '168.63.129.16';

/** True for public unicast addresses. The library has named ranges for all others, and for IPv6 forms that contain an IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== AZURE_PLATFORM;
  const [first = 0] = parsed.parts;
  // Global unicast is 2000::/3. This excludes IPv4-compatible (::a.b.c.d), local NAT64 (64:ff9b:1::/48) and site-local addresses.
  return (first & 0xe000) === 0x2000;
}

export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Returns the IP address in the URL's host, or null for a name. The URL parser already normalizes decimal, octal and hexadecimal IPv4. */
export function addressIn({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

const MOST = 2_000;

/** The error of a webhook URL as the second half of a sentence, or null if allowed. Names are resolved only when we send. */
export function faultOfUrl(text: string, privateAddresses: boolean): string | null {
  if (text.length > MOST) return `has more than ${MOST.toLocaleString('en')} characters; give a shorter one.`;
  if (!URL.canParse(text)) return 'is not a URL; give one such as https://example.org/hook.';
  const url = new URL(text);
  const plain = url.protocol === 'http:' && privateAddresses && loopback.has(url.hostname);
  if (url.protocol !== 'https:' && !plain)
    return privateAddresses ? 'must be https, or http to this machine.' : 'must be https, so that no one else can read the messages.';
  if (url.username || url.password) return 'must not contain a user name or password.';
  if (url.hash) return 'must not contain a #fragment.';
  const address = addressIn(url);
  const refused = loopback.has(url.hostname) || (address !== null && !isPublicAddress(address));
  return refused && !privateAddresses ? 'must lead to a public address.' : null;
}
