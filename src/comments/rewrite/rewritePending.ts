/** Rewrites one pending note, in the worker. It makes at most one call, even after a crash (behaviour §8.6). */
import type { Db } from '../../database/db.ts';
import { claimRewrite, settleRewrite } from './queries.ts';
import { type RewriteConfig, type RewriteOutcome, rewriteNote } from './rewriteText.ts';

/** Null if the model was not asked. A row whose worker was killed is not asked again. */
export async function rewritePending(db: Db, config: RewriteConfig, id: number): Promise<RewriteOutcome | null> {
  const claimed = await claimRewrite(db.pool(), id);
  if (!claimed) {
    await settleRewrite(db.pool(), id, { fault: 'interrupted' });
    return null;
  }
  const outcome = await rewriteNote(
    { ...config, timeoutMs: Math.min(config.timeoutMs, Math.max(1, Math.floor(claimed.leftMs))) },
    claimed.body,
  );
  await settleRewrite(db.pool(), id, outcome);
  return outcome;
}
