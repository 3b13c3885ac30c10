/** People as other services name them. */
import type { Person } from './source.ts';
import { ADDRESS_SHAPE, nameOf } from './texts.ts';

/** From "Ana Lind", "ana@acme.example" or "Ana Lind <ana@acme.example>". */
export function personOf(text: string, mail: string | null = null): Person | null {
  const line = nameOf(text);
  if (line === '') return mail === null ? null : { name: mail, mail };
  const named = /^([^<>]{0,200})<([^<>\s]{3,200})>$/.exec(line);
  const own = named?.[2] ?? (ADDRESS_SHAPE.test(line) ? line : null);
  return { name: named?.[1]?.trim() || line, mail: mail ?? own };
}

/** An email address, or null. */
export function mailOf(text: string): string | null {
  const line = nameOf(text, 320);
  return ADDRESS_SHAPE.test(line) ? line : null;
}
