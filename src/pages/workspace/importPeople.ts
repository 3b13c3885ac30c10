/** Choices of an import about people: members, and those who are not found (behaviour §36.12, §36.28). */
import type { ImportDetails } from '../../import/runs/imports.ts';
import type { Report } from '../../import/sources/reportSchema.ts';
import { ownValue } from '../../values/records.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { type Choice, choiceTable, selectOf, usual } from './importTables.ts';

const UNASSIGNED = 'unassigned';
const INVITE = 'invite';
const words = { invited: 'Invited', unassigned: 'Unassigned', named: 'Named in the text' } as const;

type Entry = Report['people']['entries'][number];

/** `mailed`: emails are set up. */
export function peopleTables({ map, members, mayInvite }: ImportDetails, report: Report, mailed: boolean): Content {
  const entries = report.people.entries.map((person) => ({ ...person, name: person.mail ?? person.name }));
  const found = entries.filter(({ as }) => as === 'member');
  const others = entries.filter(({ as }) => as !== 'member');
  const choices: Choice[] = [usual, [UNASSIGNED, 'Unassigned'], ...members.map(({ id, name }): Choice => [String(id), name])];
  const chosenOf = ({ name }: { name: string }) => chosenIn(map.people, name);
  return html`${selectOf(
    'unknownPeople',
    'All who are not members',
    [[UNASSIGNED, 'Leave all unassigned'], ...(mayInvite ? [[INVITE, 'Invite assignees with an email address'] as const] : [])],
    map.unknownPeople,
    others.length > 0,
  )}${choiceTable<Entry>({
    kind: 'person',
    title: 'People who are not members',
    entries: others,
    chosenOf,
    open: true,
    choices: mayInvite ? [...choices.slice(0, 2), [INVITE, 'Invite'], ...choices.slice(2)] : choices,
    becomes: ({ as, member }) => (as === 'invited' ? `Invited: ${member ?? ''}` : as === 'member' ? member : words[as]),
    more: (entry) => mayInvite && addressField(entry.name, entry.mail, ownValue(map.people, entry.name)),
  })}${
    mayInvite &&
    others.length > 0 &&
    html`<p class="hint">Invited people become members of this workspace when the import starts, and their items are assigned to them. ${mailed ? 'They get an email with a link.' : 'Emails are not set up: after the start, create links for them on the page People.'}</p>`
  }${choiceTable<Entry>({
    kind: 'person',
    title: 'People',
    entries: found,
    choices,
    chosenOf,
    becomes: ({ member }) => member,
    // One field in each row, because peopleOf pairs them by place.
    more: () => mayInvite && html`<input type="hidden" name="personMail" value="">`,
  })}`;
}

type Chosen = ImportDetails['map']['people'][string] | undefined;

/** The address to invite. Other choices ignore it. */
const addressField = (name: string, mail: string | null, chosen: Chosen): Content =>
  mail === null
    ? html` <input type="email" name="personMail" value="${invited(chosen) ?? ''}" placeholder="Email, to invite" aria-label="Email of ${name}">`
    : html`<input type="hidden" name="personMail" value="${mail}">`;

const invited = (chosen: Chosen): string | null => (chosen && typeof chosen === 'object' && 'invite' in chosen ? chosen.invite : null);

function chosenIn(people: ImportDetails['map']['people'], name: string): string {
  const chosen = ownValue(people, name);
  if (chosen === null) return UNASSIGNED;
  if (typeof chosen !== 'object') return chosen ?? '';
  return 'member' in chosen ? String(chosen.member) : INVITE;
}

/** Entries of an ImportMap, not yet checked. */
export function peopleOf(form: Form): [string, unknown][] {
  const [chosen, mails] = [form.all('personTo'), form.all('personMail')];
  const becomes = (to: string, at: number) =>
    to === UNASSIGNED ? null : to === INVITE ? { invite: mails[at]?.trim() ?? '' } : { member: Number(to) };
  return form.all('person').flatMap((name, at): [string, unknown][] => (chosen[at] ? [[name, becomes(chosen[at], at)]] : []));
}
