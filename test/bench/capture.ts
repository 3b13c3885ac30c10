/** Captures the exact statements of an operation, so that a floor can send the same. */
import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Sent at any time: the first question of a new connection, and the last uses of keys, written in batches. */
const ANY_TIME = /pg_is_in_recovery|^update \S+ set last_used_at/;

/** Runs `work` and returns the statements that all clients of this process sent, without those that come at any time. */
export async function capture(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = pg.Client.prototype.query;
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  const recording = function (this: pg.Client, config: any, values: any, ...rest: any[]) {
    const text = typeof config === 'string' ? config : config?.text;
    if (typeof text === 'string' && !ANY_TIME.test(text)) seen.push({ text, values: values ?? config.values ?? [] });
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
    return (original as any).call(this, config, values, ...rest);
  };
  pg.Client.prototype.query = recording as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}
