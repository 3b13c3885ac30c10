/** POST /items/save with an Idempotency-Key (behaviour §5.20): retries return the first call's result. */
import type { z } from 'zod';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { linkNames } from './fields.ts';
import type { ItemFacts } from './queries.ts';
import { saveItem } from './saveItem.ts';
import type { Work } from './schema.ts';
import { asSeenBy } from './visibility.ts';

type Input = z.infer<typeof saveItem.input>;

export const saveItemOnce: StatementWrite<Input, ItemFacts, Work, undefined, Work> = {
  ...saveItem,
  input: saveItem.input.transform(withoutNulls),

  async authorize(tx, caller, input, how) {
    const permit = await saveItem.authorize(tx, caller, input, how);
    if (how.replay && input.record.id === undefined && hasHiddenLink(input, permit)) throw new Forbidden();
    return permit;
  },

  // The receipt holds the item as of the first call. The caller may have lost access to its goal since.
  complete: async (_tx, permit, work) => asSeenBy(permit, work),
};

/** For a new item, null and an omitted value are the same request (behaviour §7.16). */
function withoutNulls({ workspaceId, record }: Input): Input {
  if (record.id !== undefined) return { workspaceId, record };
  const { ownerId, fields, ...rest } = record;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return { workspaceId, record: { ...rest, ...(ownerId == null ? {} : { ownerId }), fields: given } };
}

/** True if the item is below a hidden item and so is hidden itself. A goal hides nothing (behaviour §7.15). */
const hasHiddenLink = ({ record: { fields } }: Input, { targets }: ItemFacts): boolean =>
  linkNames.some((name) => name !== 'goalId' && fields[name] != null && !(fields[name] in targets));
