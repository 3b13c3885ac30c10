/** POST /items/save with an Idempotency-Key (behaviour §5.20): as without one, and its retries answer what the first call did. */
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

  // The receipt holds the item as it was seen then; goals may have gone out of sight since.
  complete: async (_tx, permit, work) => asSeenBy(permit, work),
};

/** To create with null is the same request as to leave out (behaviour §7.16). */
function withoutNulls({ workspaceId, record }: Input): Input {
  if (record.id !== undefined) return { workspaceId, record };
  const { ownerId, fields, ...rest } = record;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return { workspaceId, record: { ...rest, ...(ownerId == null ? {} : { ownerId }), fields: given } };
}

/** What was put below something is out of reach with it; a goal hides nothing (behaviour §7.15). */
const hasHiddenLink = ({ record: { fields } }: Input, { targets }: ItemFacts): boolean =>
  linkNames.some((name) => name !== 'goalId' && fields[name] != null && !(fields[name] in targets));
