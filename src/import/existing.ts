/** What a file adds to: an account that is there, and those of its people whom the entries speak of (behaviour §2.18). */
import type { Tx } from '../database/db.ts';
import { InvalidRequest } from '../values/errors.ts';
import { findExisting, readDays } from './queries.ts';
import { dayKey, type Home } from './rows.ts';
import type { ImportFile } from './schema.ts';

/** What the file says is there already. */
export interface Existing {
  ids: Map<object, number>;
  zones: Map<object, string>;
}

/** Throws InvalidRequest for an account that is not there, and for who is nobody of it. */
export async function readExisting(tx: Tx, { accounts }: ImportFile): Promise<Existing> {
  const [ids, zones] = [new Map<object, number>(), new Map<object, string>()];
  for (const [a, account] of accounts.entries()) {
    const { existing } = account;
    if (!existing) continue;
    const path = ['accounts', a, 'existing'];
    const people = await findExisting(
      tx,
      existing.id,
      existing.users.map(({ email }) => email),
    );
    if (!people) throw new InvalidRequest([...path, 'id'], `there is no account ${existing.id}; check the id.`);
    ids.set(account, existing.id);
    for (const [u, user] of existing.users.entries()) {
      const found = people.find(({ email }) => email === user.email.toLowerCase());
      if (!found) throw new InvalidRequest([...path, 'users', u, 'email'], `nobody of account ${existing.id} has ${user.email}.`);
      ids.set(user, found.id);
      zones.set(user, found.timezone);
    }
  }
  return { ids, zones };
}

/** Names of all to whom the file can assign work. */
export function peopleOf({ account, idOf }: Home): Record<string, string> {
  const there = (account.existing?.users ?? []).map((user): [number, string] => [idOf(user), user.email]);
  return Object.fromEntries([...there, ...account.users.map((user): [number, string] => [idOf(user), user.name])]);
}

/** Minutes that days of the account's own people hold already, on days that the file writes to. */
export async function heldDays(tx: Tx, { account, idOf }: Home): Promise<Map<string, number>> {
  const users = (account.existing?.users ?? []).map(idOf);
  if (users.length === 0) return new Map();
  const days = new Set(account.workspaces.flatMap(({ timeEntries }) => timeEntries.flatMap(({ date }) => date ?? [])));
  return new Map((await readDays(tx, users, [...days])).map(({ user_id, day, minutes }) => [dayKey(user_id, day), minutes]));
}
