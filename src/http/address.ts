/** Prevents DNS rebinding (behaviour §1.6, §1.19): only the Host header reveals a foreign name. A page can set X-Forwarded-Host. */
import type { Context } from 'koa';
import type { Config } from '../config.ts';
import { loopback } from '../values/hosts.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** True for the origin of the public address. If that is loopback, also for other loopback names, with its port or the port listened on. */
export function isOwnOrigin(own: string, ctx: Context, origin: string): boolean {
  if (origin === own) return true;
  const { protocol, hostname, port } = new URL(own);
  if (!loopback.has(hostname)) return false;
  const ports = [port, ctx.req.socket.localPort ?? port];
  return ports.some((one) => loopbackNames.some((name) => origin === new URL(`${protocol}//${name}:${one}`).origin));
}

export function hasOwnHost(own: string, ctx: Context): boolean {
  const { host = '' } = ctx.req.headers;
  const claimed = `${new URL(own).protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(claimed) && isOwnOrigin(own, ctx, new URL(claimed).origin);
}

export const misdirected = ({ baseUrl }: Config) => `This service has another address: go to ${baseUrl}`;

/** Only the last value counts, because the router adds it. The caller can set those before. */
export function cameAsPlainHttp({ https, trustProxy }: Config, ctx: Context): boolean {
  return https && trustProxy > 0 && ctx.get('X-Forwarded-Proto').split(',').at(-1)!.trim().toLowerCase() !== 'https';
}

export const useHttps = 'Use https. If this request had a password or key, change the password or rotate the key.';
