/** The sample account as an import file (behaviour §2.5), with dates relative to today. */
import { grants } from '../access/rights.ts';
import type { ImportInput } from '../import/schema.ts';
import { addDays, mondayOf } from '../values/dates.ts';
import type { Account } from './entries.ts';
import { ferryWorkspace } from './ferry.ts';
import { websiteWorkspace } from './website.ts';

export const sampleEmail = 'ana@islands.example';

const people: NonNullable<Account['users']> = [
  { ref: 'ana', email: sampleEmail, name: 'Ana Lindqvist', accountRole: 'owner', timezone: 'Europe/Berlin', weeklyHours: 32 },
  { ref: 'bo', email: 'bo@islands.example', name: 'Bo Madsen', accountRole: 'admin', timezone: 'Europe/Copenhagen', weeklyHours: 40 },
  { ref: 'cleo', email: 'cleo@islands.example', name: 'Cleo Martins', timezone: 'Europe/Lisbon', weeklyHours: 40 },
  { ref: 'dmitri', email: 'dmitri@islands.example', name: 'Dmitri Sokolov', timezone: 'Europe/Berlin', weeklyHours: 37.5 },
  { ref: 'farid', email: 'farid@islands.example', name: 'Farid Haddad', timezone: 'Europe/Berlin', weeklyHours: 20 },
  { ref: 'esi', email: 'esi@islands.example', name: 'Esi Mensah', timezone: 'Africa/Accra' },
];

/** A week away, the week after next. */
const holidayTrip = (today: string) => {
  const monday = addDays(mondayOf(today), 14);
  return { from: monday, to: addDays(monday, 4), reason: 'Holiday', shared: true };
};

/** `today`: YYYY-MM-DD; `password`: for all sample users. */
export function sampleFile(today: string, password: string): ImportInput {
  return {
    accounts: [
      {
        name: 'Island Ferries',
        holidayRegion: 'DE',
        users: [
          ...people.map((person) => ({ ...person, password, ...(person.ref === 'cleo' && { absences: [holidayTrip(today)] }) })),
          { ref: 'buildbot', email: 'buildbot@islands.example', name: 'Build bot', kind: 'service' },
        ],
        workspaces: [ferryWorkspace(today), websiteWorkspace(today)],
        personalNotes: [
          {
            ref: 'n-ideas',
            user: 'ana',
            folder: 'Ideas',
            html: '<h2>After the summer</h2><ul><li>Bicycles without a form</li><li>One ticket for the bus</li></ul>',
          },
          { ref: 'n-monday', user: 'ana', html: '<p>Monday</p><p>Ask Bo about <strong>refunds</strong>; read the audit list.</p>' },
        ],
        restKeys: [
          { ref: 'key-ana', user: 'ana', name: 'Reports', grants: [...grants] },
          {
            ref: 'key-bot',
            user: 'buildbot',
            name: 'Build',
            grants: ['workspaces:read', 'tasks:write', 'requirements:read', 'comments:write'],
          },
        ],
        connections: [
          {
            ref: 'agent-ana',
            user: 'ana',
            name: "Ana's assistant",
            workspaces: ['ferry', 'website'],
            permissions: { tasks: 'delete', requirements: 'write', releases: 'read', milestones: 'read', time: 'write', plans: 'write' },
            notes: ['read', 'add', 'edit'],
          },
        ],
      },
    ],
  };
}
