/** Imports into an existing account: finds those of its users whom the file refers to (behaviour §2.18). */
import { refuseErased } from '../accounts/queries.ts';
import type { Tx } from '../database/db.ts';
import { InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import type { ImportTarget } from './home.ts';
import { findExisting, readDays } from './queries.ts';
import type { ReadFile } from './readFile.ts';
import { addMinutes, type HeldMinutes } from './rows.ts';

/** Sets the ids of existing users. Returns their time zones. Throws InvalidRequest if the account or a user does not exist. */
export async function readExisting(tx: Tx, { file, refs }: ReadFile): Promise<Map<number, string>> {
  const zones = new Map<number, string>();
  for (const [a, { existing }] of file.accounts.entries()) {
    if (!existing) continue;
    const path = ['accounts', a, 'existing'];
    const people = await findExisting(
      tx,
      existing.id,
      existing.users.map(({ email }) => email),
    );
    if (!people) throw new InvalidRequest([...path, 'id'], `there is no account ${existing.id}; check the id.`);
    await refuseErased(tx, existing.id);
    refs.listAt([...path, 'users']).ids = Float64Array.from(existing.users, ({ email }, u) => {
      const found = people.find((person) => person.email === email.toLowerCase());
      if (!found)
        throw new InvalidRequest([...path, 'users', u, 'email'], `account ${existing.id} has no user ${email}; check the address.`);
      zones.set(found.id, found.timezone);
      return found.id;
    });
  }
  return zones;
}

export const idsOfExisting = ({ file, path }: ImportTarget) => [...file.refs.listAt([...path, 'existing', 'users']).ids];

export function peopleOf(home: ImportTarget): Record<string, string> {
  const { account, file, path } = home;
  const ids = file.refs.listAt([...path, 'users']).ids;
  const listed = account.existing?.users ?? [];
  const there = idsOfExisting(home).map((id, u) => [id, elementAt(listed, u).email]);
  return Object.fromEntries([...there, ...account.users.map((user, u) => [ids[u], user.name])]);
}

/** Existing minutes of existing users, on the days that the file adds time to. */
export async function existingMinutes(tx: Tx, home: ImportTarget): Promise<HeldMinutes> {
  const held: HeldMinutes = new Map();
  const users = idsOfExisting(home);
  if (users.length === 0) return held;
  for (const { user_id, day, minutes } of await readDays(tx, users, home.file.daysOf(home.path))) addMinutes(held, user_id, day, minutes);
  return held;
}
