/** REST keys as an account's owner makes and ends them (behaviour §3.19). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { grants } from '../access/rights.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Id, Label } from '../values/text.ts';
import { insertKey, revokeKey as revoke } from './keyQueries.ts';

const NewKey = z.strictObject({
  userId: Id,
  name: Label(200),
  grants: z.array(z.enum(grants)).min(1, 'choose at least one grant'),
  expires: z.iso.datetime({ offset: true }).nullable(),
});

export const createKey: TransactionWrite<z.infer<typeof NewKey>, AccountPermit, { id: number; key: string }> = {
  name: 'createKey',
  input: NewKey,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  run: (tx, { accountId }, key) => insertKey(tx, { accountId }, key),
};

const OneKey = z.strictObject({ keyId: Id });

export const revokeKey: TransactionWrite<z.infer<typeof OneKey>, AccountPermit, void> = {
  name: 'revokeKey',
  input: OneKey,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  run: (tx, { accountId }, { keyId }) => revoke(tx, { accountId }, keyId),
};
