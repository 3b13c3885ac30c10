/** Finds the member that a person of another service is (behaviour §36.12). */
import { Email, normalEmail } from '../../accounts/schema.ts';
import type { ImportMap } from './map.ts';
import type { Facts } from './planned.ts';
import type { Person } from './source.ts';

export interface FoundPerson {
  member: Facts['members'][number] | null;
  /** To invite. Null: no address, or the map does not want it. */
  inviteMail: string | null;
  /** The map wants this person to be invited, also if nothing is assigned to them. */
  isNamed: boolean;
}

export function findPerson(person: Person, map: ImportMap, { members }: Facts): FoundPerson {
  const chosen = [person.mail, person.name].find((name) => name !== null && Object.hasOwn(map.people, name));
  const mapped = chosen == null ? undefined : map.people[chosen];
  if (mapped === null) return { member: null, inviteMail: null, isNamed: false };
  if (typeof mapped === 'object' && 'member' in mapped)
    return { member: members.find(({ id }) => id === mapped.member) ?? null, inviteMail: null, isNamed: false };
  const isNamed = typeof mapped === 'object';
  const mail = (isNamed ? mapped.invite : mapped) ?? person.mail;
  const address = mail === null ? null : normalEmail(mail);
  const byMail = address === null ? undefined : members.find((one) => normalEmail(one.mail) === address);
  const member = byMail ?? (mapped === undefined ? byName(person.name, members) : undefined);
  const invited = !member && (isNamed || map.unknownPeople === 'invite');
  // Files contain texts that are no addresses, or that mail servers read as others.
  const inviteMail = invited ? (Email.safeParse(mail).data ?? null) : null;
  return { member: member ?? null, inviteMail, isNamed };
}

/** Only if one member has this name. */
function byName(name: string, members: Facts['members']): Facts['members'][number] | undefined {
  const lower = name.toLowerCase();
  const found = members.filter((one) => one.name.toLowerCase() === lower);
  return found.length === 1 ? found[0] : undefined;
}
