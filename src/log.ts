/** JSON lines on stdout. Only what is named here is ever logged: no headers, no bodies, no keys, no texts (behaviour §1.9). */
import { type Logger, pino } from 'pino';

export type { Logger };

export function makeLogger(level: string, process: 'web' | 'worker' | 'start'): Logger {
  return pino({
    level,
    base: { process, pid: globalThis.process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describe },
  });
}

/** An error as name, code, message and stack; slonik's errors carry the statement's values, which are never shown. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  // A database error's detail quotes values; its message names tables and constraints only.
  return {
    name: error.name,
    code,
    message: firstLine(error.message),
    stack: error.stack?.split('\n').slice(1, 12).join('\n'),
    cause: causeOf(error),
  };
}

function causeOf(error: Error): { name: string; message: string } | undefined {
  return error.cause instanceof Error ? { name: error.cause.name, message: firstLine(error.cause.message) } : undefined;
}

const firstLine = (text: string) => text.split('\n', 1)[0]!.slice(0, 500);
