/** svc_update_item: a version-checked change of an item; what is left out keeps its value, null clears it (behaviour §7.27). */
import { z } from 'zod';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id, Text, Title } from '../values/text.ts';
import type { Approved } from './approved.ts';
import { idsIn } from './decide.ts';
import { type ItemFacts, readFacts, workspaceOf } from './queries.ts';
import { mayWrite, reviseItem } from './saveItem.ts';
import { StatusSchema, Version, type Work, WorkFields } from './schema.ts';
import { asSeenBy } from './visibility.ts';

const Input = z.strictObject({
  id: Id,
  version: Version,
  title: Title.optional(),
  description: Text(0, 50_000).optional(),
  status: StatusSchema.optional(),
  ownerId: Id.nullable().optional(),
  fields: WorkFields.optional(),
});
type Input = z.infer<typeof Input>;

/** Of an item that is not what was approved any more (behaviour §4.24). */
export const changed = { changedSinceApproval: true } as const;

export const updateItem: StatementWrite<Input, ItemFacts, { item: PlacedWork }, undefined, Work> = {
  name: 'updateItem',
  input: Input,

  async authorize(tx, caller, { id, version: _version, ...change }) {
    const permit = await readFacts(tx, caller, { workspaceId: workspaceOf(id), id, ...idsIn([change]) });
    if (!permit.stored) throw new Forbidden();
    mayWrite(permit, permit.stored.type);
    return permit;
  },

  decide(permit, { id: _id, version, ...change }) {
    const decided = reviseItem(permit, version, permit.stored!.type, change);
    return 'unchanged' in decided && permit.changedSinceApproval ? { unchanged: { ...decided.unchanged, ...changed } } : decided;
  },

  again: async (_tx, { id, version }) => ({ id, version }),

  async complete(_tx, permit, work) {
    // The receipt holds the item as it was seen then; goals may have gone out of sight since.
    return { item: placed(asSeenBy(permit, work), permit.workspaceId) };
  },
};

export type PlacedWork = Work & {
  workspaceId: number;
  changedSinceApproval?: true /** What is different now, as it was approved. */;
  approved?: Approved;
};

/** An item as agents see it: with its workspace. */
export function placed({ id, ...work }: Work, workspaceId: number): PlacedWork {
  return { id, workspaceId, ...work };
}
