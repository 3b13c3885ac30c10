/** Sends mail through SMTP_URL. Every wait has a limit. There are no retries here. */

import { z } from 'zod';
import { messageOf } from './values/errors.ts';
import { loopback } from './values/hosts.ts';
import { redact } from './values/secretKeys.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 15_000;

/** The server certainly did not accept the mail, so a retry is safe. */
export class NotSent extends Error {}

/** Throws NotSent, or another error if the server may have accepted the mail. */
export async function sendMail(smtpUrl: string, from: string, mail: Mail): Promise<void> {
  // Loaded with the first mail: most processes never send one.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: encrypted(smtpUrl),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  });
  try {
    // An object is one recipient. A string would be parsed as a header, which may contain several.
    const to = { name: '', address: mail.to };
    // disableFileAccess, disableUrlAccess: a mail never includes content from files or URLs.
    await transport.sendMail({ from, ...mail, to, disableFileAccess: true, disableUrlAccess: true });
  } catch (error) {
    throw wasNotTaken(error) ? new NotSent(messageOf(error), { cause: error }) : error;
  } finally {
    transport.close();
  }
}

/** Requires TLS for servers on other machines: without STARTTLS an attacker could read the password and the links in mails. */
function encrypted(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  const isHere = loopback.has(url.hostname) && !url.searchParams.has('service');
  if (url.protocol === 'smtp:' && !isHere) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** True for a refusal or if no connection was made. After a broken or silent connection the server may have accepted the mail. */
function wasNotTaken(error: unknown): boolean {
  const { responseCode, syscall, code, message = '', originalCode = '' } = failureOf(error);
  if (responseCode !== undefined || syscall === 'connect' || isCertificateFault(originalCode)) return true;
  if (code !== undefined && ['EDNS', 'EAUTH', 'ETLS', 'EENVELOPE'].includes(code)) return true;
  return code === 'ETIMEDOUT' && /^(Connection timeout|Greeting never received)/.test(message);
}

const text = z.string().optional();
const Failure = z.object({
  message: text,
  code: text,
  originalCode: text,
  syscall: text,
  response: text,
  responseCode: z.number().optional(),
});
const failureOf = (error: unknown): z.infer<typeof Failure> => Failure.safeParse(error).data ?? {};

const isCertificateFault = (code: string): boolean => /CERT|ISSUER|UNABLE_TO_VERIFY/.test(code);

const MOST_QUOTED = 300;

/** Why a mail was not sent, for administrators of an account. It may quote the mail server's answer, but not its address. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof NotSent)) return 'The connection to the mail server was lost. The email may have arrived.';
  const { code, response, originalCode = '' } = failureOf(error.cause);
  if (code === 'EAUTH') return 'The mail server refused the sign-in.';
  if (response) return `The mail server answered: ${redact(response).slice(0, MOST_QUOTED)}`;
  if (code === 'ETLS' || isCertificateFault(originalCode)) return 'There is no secure connection to the mail server.';
  return code === 'EENVELOPE' ? 'The mail server cannot send to this address. Check it.' : 'The mail server cannot be reached.';
}
