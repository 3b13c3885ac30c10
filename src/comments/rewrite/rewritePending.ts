/** Rewrites one pending note, in the worker. It makes at most one call, even after a crash (behaviour §8.6). */
import type { Db } from '../../database/db.ts';
import { type CheckFault, checkRewrite } from './check/check.ts';
import { restorePassages, splitNote } from './excerpts/passages.ts';
import type { ModelConfig, ModelFault } from './model.ts';
import { claimRewrite, settleRewrite } from './queries.ts';

/** Rewrites one progress note: split, ask, check, restore (behaviour §8.7). Uses no database. */
export type RewriteConfig = Omit<ModelConfig, 'apiKey'> & {
  apiKey?: string | undefined;
  held?: boolean;
};

/** `passage`: the new text around a passage changed its kind. */
export type RewriteFault = 'not_configured' | 'held' | 'passage' | ModelFault | CheckFault;

/** A fault names the broken rule and contains no text, so it may be logged and stored. */
export type RewriteOutcome = { rewritten: string } | { fault: RewriteFault };

/** For the worker, outside a transaction. Makes at most one call, within `config.timeoutMs`, and sends only text outside passages. Never
 *  throws for errors of the server. After a `fault` nothing is saved. */
export async function rewriteNote(config: RewriteConfig, text: string): Promise<RewriteOutcome> {
  const split = splitNote(text);
  if (split.nothingToRewrite) return { rewritten: text };
  const { apiKey, held } = config;
  if (held) return { fault: 'held' };
  if (!apiKey) return { fault: 'not_configured' };
  // Loaded only if a model is configured: the library is a quarter of a worker's modules.
  const { askModel, ModelError } = await import('./model.ts');
  let answer: string;
  try {
    answer = await askModel({ ...config, apiKey }, split.sent);
  } catch (error) {
    if (error instanceof ModelError) return { fault: error.fault };
    throw error;
  }
  const checked = checkRewrite(split.sent, answer, split);
  if (!checked.ok) return { fault: checked.reason };
  const rewritten = restorePassages(answer, split);
  return rewritten === null ? { fault: 'passage' } : { rewritten };
}

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
