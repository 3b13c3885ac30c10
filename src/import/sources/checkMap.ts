/** Compares a map with the workspace (behaviour §36.2). */
import { normalEmail } from '../../accounts/schema.ts';
import { Faults } from '../../values/errors.ts';
import { approvalStatuses } from '../../workspaces/statuses.ts';
import type { ImportMap } from './map.ts';
import type { Facts } from './planned.ts';

/** Throws InvalidRequest that names each key of the map whose value the workspace does not have. */
export function checkMap(map: ImportMap, facts: Facts): void {
  const faults = new Faults();
  const { usable, ranks, isMember } = choicesOf(facts);
  for (const [name, key] of Object.entries(map.statuses))
    if (!usable.includes(key))
      faults.add(['statuses', name], { problem: `'${key}' is not a status that an import can set`, allowed: usable });
  for (const [name, key] of Object.entries(map.priorities))
    if (!ranks.includes(key)) faults.add(['priorities', name], { problem: `'${key}' is not a priority of the workspace`, allowed: ranks });
  for (const [name, person] of Object.entries(map.people)) {
    if (typeof person === 'string' && !isMember(person) && map.unknownPeople !== 'invite')
      faults.add(
        ['people', name],
        `${person} is not a member who can be assigned; give the address of one, or set unknownPeople to invite.`,
      );
    if (person !== null && typeof person === 'object' && 'member' in person && !facts.members.some(({ id }) => id === person.member))
      faults.add(['people', name], 'that person is not a member who can be assigned; choose another one.');
  }
  faults.check();
}

/** Earlier choices for another file: without people, and without what the workspace no longer has. */
export function fittingMap(map: ImportMap, facts: Facts): ImportMap {
  const { usable, ranks } = choicesOf(facts);
  return {
    ...map,
    statuses: entriesOf(map.statuses, (key) => usable.includes(key)),
    priorities: entriesOf(map.priorities, (key) => ranks.includes(key)),
    people: {},
    unknownPeople: 'unassigned',
  };
}

function choicesOf({ statuses, priorities, members }: Facts) {
  const mails = new Set(members.map(({ mail }) => normalEmail(mail)));
  return {
    usable: statuses.filter(({ status }) => !approvalStatuses.includes(status)).map(({ key }) => key),
    ranks: priorities.map(({ key }) => key),
    isMember: (mail: string) => mails.has(normalEmail(mail)),
  };
}

const entriesOf = <Value>(record: Readonly<Record<string, Value>>, fits: (value: Value) => boolean): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => fits(value)));
