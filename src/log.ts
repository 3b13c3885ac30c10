/** JSON lines on stdout. Logs only the fields named here: no headers, bodies, keys or texts (behaviour §1.9). */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { firstLine } from './values/text.ts';

export type { Logger };

const BATCH_BYTES = 4_096;
const LATE_MS = 20;

export function makeLogger(level: string, name: 'web' | 'worker' | 'start'): Logger {
  const settings: LoggerOptions = {
    level,
    base: { process: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describe },
  };
  return pino(settings, together());
}

/** Writes the lines of 20 ms together, because a write costs more than making a line. Pino flushes fatal lines itself. */
function together() {
  const stdout = pino.destination({ dest: 1, sync: true, minLength: BATCH_BYTES });
  process.on('exit', () => stdout.flushSync());
  let waiting = false;
  const flush = () => {
    waiting = false;
    stdout.flush();
  };
  return {
    write(line: string) {
      stdout.write(line);
      if (waiting) return;
      waiting = true;
      setTimeout(flush, LATE_MS).unref();
    },
    flushSync: () => stdout.flushSync(),
  };
}

/** An error as name, code, message and stack. Errors of slonik also have the statement's values, which must not be logged. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  // The detail of a database error quotes values. The message names only tables and constraints.
  return {
    name: error.name,
    code,
    message: briefly(error.message),
    stack: error.stack?.split('\n').slice(1, 12).join('\n'),
    cause: causeOf(error),
  };
}

function causeOf(error: Error): { name: string; message: string } | undefined {
  return error.cause instanceof Error ? { name: error.cause.name, message: briefly(error.cause.message) } : undefined;
}

const briefly = (text: string) => firstLine(text).slice(0, 500);
