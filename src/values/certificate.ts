import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from './errors.ts';

/** The PEM text of a certificate authority: `given`, or the content of the file that it names. Throws an Error that describes the fault. */
export function readCertificate(given: string): string {
  const text = given.includes('-----BEGIN') ? given : readPem(given);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('holds no certificate: give PEM text (-----BEGIN CERTIFICATE-----) or the path of a PEM file');
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch {
      throw new Error('holds a certificate that can not be read: copy the whole PEM text, with its line breaks');
    }
  }
  return text;
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`is neither PEM text nor a file that can be read (${codeOf(error)})`);
  }
}
