/** The one-click unsubscribe link in a mail (RFC 8058). It works without sign-in and contains user and kind, signed. Pure. */
import { createHmac } from 'node:crypto';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';
import { type Kind, kinds } from './schema.ts';

export type Mails = Kind | 'digest';

export interface Subscription {
  userId: number;
  mails: Mails;
}

export const tokenOf = ({ secretKey }: SecretKeys, subscription: Subscription): string =>
  `${subscription.userId}.${subscription.mails}.${signature(secretKey, subscription)}`;

export function subscriptionOf(keys: SecretKeys, token: string): Subscription | null {
  const [, id, mails, signed] = /^([1-9]\d{0,14})\.([a-z_]{1,30})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || !isMails(mails!)) return null;
  const subscription = { userId: Number(id), mails };
  return matchesValidKey(keys, signed!, (key) => signature(key, subscription)) ? subscription : null;
}

const isMails = (text: string): text is Mails => text === 'digest' || (kinds as readonly string[]).includes(text);

const signature = (secretKey: string, { userId, mails }: Subscription): string =>
  createHmac('sha256', secretKey).update(`unsubscribe:${userId}:${mails}`).digest('base64url');
