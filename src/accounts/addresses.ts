/** Parses pasted email addresses, bare or as `Ana Lind <ana@acme.example>`, separated by line ends, commas, semicolons or blanks. Pure. */
import { Email, normalEmail } from './schema.ts';

export interface NamedAddress {
  email: string;
  name: string;
}

export interface Addresses {
  good: NamedAddress[];
  faulty: string[];
}

/** Each address once: upper and lower case count as equal. */
export function addressesIn(text: string): Addresses {
  const found = piecesOf(text).flatMap(addressedIn);
  const good = new Map<string, NamedAddress>();
  const faulty = new Set<string>();
  for (const { email, name } of found) {
    const known = normalEmail(email);
    if (!Email.safeParse(email).success) faulty.add(name && email ? `${name} <${email}>` : name || email);
    else if (!good.has(known)) good.set(known, { email, name: name.slice(0, 200) || nameOf(email) });
  }
  return { good: [...good.values()], faulty: [...faulty] };
}

/** Splits at line ends, commas and semicolons outside quotes. An unclosed quote ends with its line. */
function piecesOf(text: string): string[] {
  const pieces = [''];
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    if (char === '\n') quoted = false;
    if (!quoted && (char === '\n' || char === ',' || char === ';')) pieces.push('');
    else pieces[pieces.length - 1] += char;
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function addressedIn(piece: string): NamedAddress[] {
  const found: NamedAddress[] = [];
  let rest = piece;
  for (let open = rest.indexOf('<'); open >= 0; open = rest.indexOf('<')) {
    const closed = rest.indexOf('>', open);
    const close = closed < 0 ? rest.length : closed;
    found.push({ name: plain(rest.slice(0, open)), email: bare(rest.slice(open + 1, close)) });
    rest = rest.slice(close + 1);
  }
  const bareOnes = rest.split(/\s/).filter((word) => word !== '');
  if (bareOnes.length > 0 && !bareOnes.some((word) => word.includes('@'))) return [...found, { name: rest.trim(), email: '' }];
  return [...found, ...bareOnes.map((word) => ({ name: '', email: bare(word) }))];
}

const plain = (name: string): string => name.replaceAll('"', '').trim();
const bare = (address: string): string => {
  const trimmed = address.trim();
  return trimmed.toLowerCase().startsWith('mailto:') ? trimmed.slice('mailto:'.length) : trimmed;
};

function nameOf(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[._+-]/)
    .filter((word) => word !== '');
  return words.map((word) => `${word.charAt(0).toLocaleUpperCase('en')}${word.slice(1)}`).join(' ') || email;
}
