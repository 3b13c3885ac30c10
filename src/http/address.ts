/** Where a request was sent to: the scheme and the name by which its sender knows this service (behaviour §1.6, §1.19).
 *
 *  Against DNS rebinding: a page of a foreign name that was made to point to this machine is of one origin with us, as its browser sees
 *  it, and may send whatever our own pages may. Only the Host tells it apart; X-Forwarded-Host such a page may set as it likes. */
import type { Context } from 'koa';
import type { Config } from '../config.ts';
import { loopback } from '../values/hosts.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether pages of `origin` are our own: those of the public address and, where it is loopback, of the other names of this machine, at
 *  the same port or the one that is listened on. */
export function isOwnOrigin(own: string, ctx: Context, origin: string): boolean {
  if (origin === own) return true;
  const { protocol, hostname, port } = new URL(own);
  if (!loopback.has(hostname)) return false;
  const ports = [port, ctx.req.socket.localPort ?? port];
  return ports.some((one) => loopbackNames.some((name) => origin === new URL(`${protocol}//${name}:${one}`).origin));
}

/** Whether the request was sent to us by a name of our own. */
export function hasOwnHost(own: string, ctx: Context): boolean {
  const { host = '' } = ctx.req.headers;
  const claimed = `${new URL(own).protocol}//${host}`;
  // A host and a port, and nothing that an address holds beside them.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(claimed) && isOwnOrigin(own, ctx, new URL(claimed).origin);
}

export const misdirected = ({ baseUrl }: Config) => `This service is not at the address that was asked for: go to ${baseUrl}`;

/** The router's own word is the last one: what stands before it was claimed by the caller. */
export function cameAsPlainHttp({ https, trustProxy }: Config, ctx: Context): boolean {
  return https && trustProxy > 0 && ctx.get('X-Forwarded-Proto').split(',').at(-1)!.trim().toLowerCase() !== 'https';
}

export const useHttps = 'Use https: change the password, or rotate the key, if this request carried one.';
