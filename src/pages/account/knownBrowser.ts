/** A cookie for browsers in which a person has signed in; it gives no access. It exempts the person from delays caused by others who guess
 *  the password (behaviour §13.13). */
import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Config } from '../../config.ts';
import { sameSecret } from '../../values/text.ts';

const COOKIE = 'stint_browser';
const SECONDS = 400 * 24 * 60 * 60;
const MOST_MARKS = 4;

const macOf = (secretKey: string, userId: number, nonce: string) =>
  createHmac('sha256', secretKey).update(`browser:${userId}:${nonce}`).digest('base64url');

const marksOf = (ctx: Context): string[] =>
  (ctx.req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .flatMap((pair) => pair.slice(COOKIE.length + 1).split('~'))
    .slice(0, 2 * MOST_MARKS);

/** The browser's mark for the person; null if they never signed in with it. */
export function markOf(ctx: Context, { secretKey }: Config, userId: number): string | null {
  const found = marksOf(ctx).find((mark) => {
    const [nonce, mac] = mark.split('.');
    return nonce && mac && sameSecret(mac, macOf(secretKey, userId, nonce));
  });
  return found ?? null;
}

export function giveMark(ctx: Context, config: Config, userId: number): void {
  if (markOf(ctx, config, userId)) return;
  const nonce = randomBytes(12).toString('base64url');
  const marks = [`${nonce}.${macOf(config.secretKey, userId, nonce)}`, ...marksOf(ctx)].slice(0, MOST_MARKS);
  const where = `Path=${config.basePath || '/'}; HttpOnly; SameSite=Lax${config.https ? '; Secure' : ''}`;
  ctx.append('Set-Cookie', `${COOKIE}=${marks.join('~')}; ${where}; Max-Age=${SECONDS}`);
}
