/** Checks that a map fits the workspace (behaviour §36.2). */
import { normalEmail } from '../../accounts/schema.ts';
import { Faults } from '../../values/errors.ts';
import { approvalStatuses } from '../../workspaces/statuses.ts';
import type { ImportMap } from './map.ts';
import type { Facts } from './planned.ts';

/** Throws InvalidRequest that names each key of the map whose value the workspace does not have. */
export function checkMap(map: ImportMap, { statuses, priorities, members }: Facts): void {
  const faults = new Faults();
  const usable = statuses.filter(({ status }) => !approvalStatuses.includes(status)).map(({ key }) => key);
  for (const [name, key] of Object.entries(map.statuses))
    if (!usable.includes(key))
      faults.add(['statuses', name], { problem: `'${key}' is not a status that an import can set`, allowed: usable });
  const ranks = priorities.map(({ key }) => key);
  for (const [name, key] of Object.entries(map.priorities))
    if (!ranks.includes(key)) faults.add(['priorities', name], { problem: `'${key}' is not a priority of the workspace`, allowed: ranks });
  const mails = new Set(members.map(({ mail }) => normalEmail(mail)));
  for (const [name, mail] of Object.entries(map.people))
    if (mail !== null && !mails.has(normalEmail(mail)) && map.unknownPeople !== 'invite')
      faults.add(['people', name], `${mail} is not a member who can be assigned; give the address of one, or set unknownPeople to invite.`);
  faults.check();
}
