/** Captures the exact statements of an operation, so that a floor can send the same. */
import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Runs `work` and returns the statements that all clients of this process sent. */
export async function capture(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = pg.Client.prototype.query;
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  const recording = function (this: pg.Client, config: any, values: any, ...rest: any[]) {
    const text = typeof config === 'string' ? config : config?.text;
    if (typeof text === 'string') seen.push({ text, values: values ?? config.values ?? [] });
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
