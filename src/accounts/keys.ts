/** REST keys, as an account's owner creates and revokes them (behaviour §3.19). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { grants } from '../access/rights.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Id, Label } from '../values/text.ts';
import { insertKey, type KeyRow, readKeys, revokeKey as revoke } from './keyQueries.ts';
import { type Person, readPeople } from './peopleQueries.ts';

export type { KeyRow } from './keyQueries.ts';
export type { Person } from './peopleQueries.ts';

const Nothing = z.strictObject({});

export const listKeys: Read<z.infer<typeof Nothing>, { keys: readonly KeyRow[]; people: readonly Person[] }> = {
  name: 'listKeys',
  input: Nothing,
  async run(tx, caller) {
    const { accountId } = await inAccount(tx, caller, ['owner']);
    const people = await readPeople(tx, accountId);
    return { keys: await readKeys(tx, accountId), people: people.filter(({ active }) => active) };
  },
};

const NewKey = z.strictObject({
  userId: Id,
  name: Label(200),
  grants: z.array(z.enum(grants)).min(1, 'choose at least one'),
  expires: z.iso.datetime({ offset: true }).nullable(),
});

export const createKey: Write<z.infer<typeof NewKey>, { id: number; key: string }, AccountPermit> = {
  name: 'createKey',
  input: NewKey,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'key.made', made: (_permit, _input, { id }) => ({ type: 'key', id }) }],
  run: (tx, { accountId }, key) => insertKey(tx, { accountId }, key),
};

const OneKey = z.strictObject({ keyId: Id });

export const revokeKey: Write<z.infer<typeof OneKey>, void, AccountPermit> = {
  name: 'revokeKey',
  input: OneKey,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'key.revoked', about: (_permit, { keyId }) => ({ type: 'key', id: keyId }) }],
  run: (tx, { accountId }, { keyId }) => revoke(tx, { accountId }, keyId),
};
