/** svc_remove_item: archives an item, unless open work below it or a running timer is in the way (behaviour §4.19). */
import { z } from 'zod';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Forbidden, InvalidRequest, VersionConflict } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { archiveItem, lockItem, openBelow, readRemovable, timerOn } from './archiveQueries.ts';
import { Version } from './schema.ts';

const Input = z.strictObject({ id: Id, version: Version });

interface Removed {
  id: number;
  version: number;
  archived: true;
}

const NAMED = 3;

export const removeItem: TransactionWrite<z.infer<typeof Input>, { type: ItemType }, Removed> = {
  name: 'removeItem',
  input: Input,

  async authorize(tx, caller, { id }, how) {
    const permit = await readRemovable(tx, caller, id, how);
    if (!holds(permit.rights, bits(resourceOf(permit.type), 'delete'))) throw new Forbidden();
    return permit;
  },

  again: async (_tx, { id, version }) => ({ id, version }),

  async run(tx, permit, { id, version }) {
    const current = await lockItem(tx, permit, id);
    if (current !== version) throw new VersionConflict(id, current);
    // Asked after the lock: what was linked or started while we waited for it is seen.
    const inTheWay = await nameOpenBelow(tx, permit, id);
    if (inTheWay) throw new InvalidRequest(['id'], `item ${id} can't be archived while open work is linked below it: ${inTheWay}.`);
    await refuseRunningTimer(tx, id, permit.userId);
    const archived = await archiveItem(tx, permit, id);
    if (archived === null) throw new Forbidden();
    return { id, version: archived, archived: true };
  },
};

async function nameOpenBelow(tx: Tx, permit: Parameters<typeof openBelow>[1], id: number): Promise<string | null> {
  const found = await openBelow(tx, permit, id, NAMED + 1);
  if (!found.length) return null;
  const seen = found.filter((item) => item.seen).slice(0, NAMED);
  const names = seen.map((item) => `${item.type} ${item.id} "${item.title}"`);
  return [...names, ...(found.length > seen.length ? ['more that is not listed here'] : [])].join(', ');
}

async function refuseRunningTimer(tx: Tx, id: number, userId: number) {
  const runner = await timerOn(tx, id);
  if (runner === null) return;
  const whose =
    runner === userId ? 'your timer runs on it: stop it first' : `a timer of user ${runner} runs on it: wait until it is stopped`;
  throw new InvalidRequest(['id'], `item ${id} can't be archived while ${whose}.`);
}
