/** Sends mail through SMTP_URL. Every wait is bounded; nothing is tried twice here. */
import { loopback } from './values/hosts.ts';
import { redact } from './values/redact.ts';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text, which reads well alone. */
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 15_000;

/** The server's refusal or a failure on the way to it: the mail was certainly not taken, so it may be tried again. */
export class NotSent extends Error {}

/** Throws NotSent, or another error when it is unknown whether the server took the mail. */
export async function sendMail(smtpUrl: string, from: string, mail: Mail): Promise<void> {
  // Loaded with the first mail: most processes that could send one never do.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: encrypted(smtpUrl),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  });
  try {
    // An address in an object is one recipient; a string would be parsed as a header, which may name several.
    const to = { name: '', address: mail.to };
    // disableFileAccess, disableUrlAccess: nothing in a mail is ever fetched from elsewhere.
    await transport.sendMail({ from, ...mail, to, disableFileAccess: true, disableUrlAccess: true });
  } catch (error) {
    throw wasNotTaken(error) ? new NotSent((error as Error).message, { cause: error }) : error;
  } finally {
    transport.close();
  }
}

/** A server elsewhere is spoken to over TLS or not at all, whatever else the address asks for: without STARTTLS whoever stands in between
 *  would be handed the password of the server and the links in the mail. */
function encrypted(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  const isHere = loopback.has(url.hostname) && !url.searchParams.has('service');
  if (url.protocol === 'smtp:' && !isHere) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** A refusal, or no conversation at all. A connection that broke off or fell silent may have taken the text before. */
function wasNotTaken(error: unknown): boolean {
  const { responseCode, syscall, code, message, originalCode = '' } = error as Failure;
  if (responseCode !== undefined || syscall === 'connect' || isCertificateFault(originalCode)) return true;
  if (code !== undefined && ['EDNS', 'EAUTH', 'ETLS', 'EENVELOPE'].includes(code)) return true;
  return code === 'ETIMEDOUT' && /^(Connection timeout|Greeting never received)/.test(message);
}

interface Failure extends Error {
  code?: string;
  /** What Node called it. */
  originalCode?: string;
  syscall?: string;
  response?: string;
  responseCode?: number;
}

const isCertificateFault = (code: string): boolean => /CERT|ISSUER|UNABLE_TO_VERIFY/.test(code);

const MOST_QUOTED = 300;

/** Why a mail was not sent, for the administrators of an account: they may read what the mail server answered, not where it is. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof NotSent)) return 'The connection to the mail server broke off: the mail may have arrived.';
  const { code, response, originalCode = '' } = error.cause as Failure;
  if (code === 'EAUTH') return 'The mail server refused the sign-in of this Stint.';
  if (response) return `The mail server answered: ${redact(response).slice(0, MOST_QUOTED)}`;
  if (code === 'ETLS' || isCertificateFault(originalCode)) return 'There is no secure connection to the mail server.';
  return code === 'EENVELOPE' ? 'The address is not one that mail can be sent to.' : 'The mail server can not be reached.';
}
