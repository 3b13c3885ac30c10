/** POST /comments with an Idempotency-Key. Stores ids only, because receipts must not contain texts (behaviour §7.18). */
import type { ItemType } from '../access/rights.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { addComment } from './addComment.ts';
import { insertCommentForReceipt, readComment } from './queries.ts';
import type { Comment } from './schema.ts';

type Input = Parameters<typeof addComment.decide>[1];
interface Ids {
  id: number;
  itemId: number;
}

export const addCommentOnce: StatementWrite<Input, { itemType: ItemType }, Comment, undefined, Ids> = {
  name: addComment.name,
  input: addComment.input,
  authorize: addComment.authorize,
  decide: (permit, { id, body }) => ({
    statement: insertCommentForReceipt(permit, id, body),
    refused: async () => {
      throw new Forbidden();
    },
  }),
  complete: (tx, permit, { id, itemId }) => readComment(tx, permit, itemId, id),
};
