/** Where webhooks may go (behaviour §16.3). Whoever makes one names an address that we then connect to, from inside of whatever network
 *  we run in: so only addresses of the public internet are reached, unless the operator says otherwise. Pure. */
import ipaddr from 'ipaddr.js';
import { loopback } from '../values/hosts.ts';

/** Answers every virtual machine of Azure, with its keys and its configuration, on an address of the public range. */
const AZURE_PLATFORM = '168.63.129.16';

/** Only what is known to be public: private, loopback, link-local (metadata services), shared, reserved and documentation ranges have names
 *  of their own in the library, and so have all IPv6 forms that hold an IPv4 address (mapped, NAT64, 6to4, Teredo). */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return parsed.toString() !== AZURE_PLATFORM;
  const { parts } = parsed as ipaddr.IPv6;
  // Global unicast is 2000::/3, all of it that is given out. IPv4-compatible (::a.b.c.d), local NAT64 (64:ff9b:1::/48), site-local and
  // whatever comes to be used outside of it are none of the internet's.
  return (parts[0]! & 0xe000) === 0x2000;
}

export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** The address that a URL's host is, or null for a name. URLs spell decimal, octal and hexadecimal forms of IPv4 out. */
export function addressIn({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

const MOST = 2_000;

/** What is wrong with the URL of a webhook, as the rest of a sentence; null when it may be used. What a name stands for is looked at when
 *  something is sent. */
export function faultOfUrl(text: string, privateAddresses: boolean): string | null {
  if (text.length > MOST) return `has more than ${MOST.toLocaleString('en')} characters; give a shorter one.`;
  if (!URL.canParse(text)) return 'is no URL; give one such as https://example.org/hook.';
  const url = new URL(text);
  const plain = url.protocol === 'http:' && privateAddresses && loopback.has(url.hostname);
  if (url.protocol !== 'https:' && !plain)
    return privateAddresses ? 'must be https, or http to this machine.' : 'must be https: what is sent is for its receiver alone.';
  if (url.username || url.password) return 'must not hold a name or password: the signature shows who sends.';
  if (url.hash) return 'must not end in a #fragment, which is never sent.';
  const address = addressIn(url);
  const refused = loopback.has(url.hostname) || (address !== null && !isPublicAddress(address));
  return refused && !privateAddresses ? 'must lead to a public address.' : null;
}
