/** Slonik's driver over node-postgres, in place of the one it brings: takes our TLS settings and timeouts as they are, and gives up a
 *  connection whose query got no answer in time, for the next query would only queue behind it. */
import pg, { type ClientConfig } from 'pg';
import {
  BackendTerminatedError,
  createDriverFactory,
  type DriverFactory,
  type DriverQueryResult,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53-1`);
  return value;
}

// By type OID, which PostgreSQL never changes for its own types.
const parsers = new Map<number, (text: string) => unknown>([
  [20, safeInteger], // int8
  [1016, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))], // int8[]
  [1184, (text) => new Date(text).toISOString()], // timestamptz
  [1082, (text) => text], // date
]);

const types: ClientConfig['types'] = {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  getTypeParser: ((oid: number, format: any) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const noFields: DriverQueryResult['fields'] = [];

/** `config` as node-postgres takes it. */
export function pgDriver(config: ClientConfig): DriverFactory {
  return createDriverFactory(async () => ({
    createPoolClient: async ({ clientEventEmitter }) => {
      const client = new pg.Client({ ...config, types });
      client.on('error', (error) => clientEventEmitter.emit('error', error));
      return {
        connect: async () => void (await client.connect()),
        end: () => client.end(),
        async query(text, values, options) {
          try {
            const result = await client.query(
              options?.name ? { name: options.name, text, values: values as unknown[] } : { text, values: values as unknown[] },
            );
            return {
              command: result.command as DriverQueryResult['command'],
              fields: noFields,
              rowCount: result.rowCount,
              rows: result.rows,
            };
          } catch (error) {
            throw asSlonikError(error as Error & { code?: string }, client);
          }
        },
        stream() {
          throw new Error('Rows are streamed through a cursor on a connection of their own.');
        },
      };
    },
  }));
}

function asSlonikError(error: Error & { code?: string }, client: pg.Client): Error {
  if (error.message === 'Query read timeout') {
    // biome-ignore lint/suspicious/noExplicitAny: the socket is not in the types
    (client as any).connection.stream.destroy();
    return new BackendTerminatedError(error);
  }
  if (error.code === '57P01' || /connection terminated|not queryable|ECONNRESET|EPIPE/i.test(error.message))
    return new BackendTerminatedError(error);
  return error.code === '23505' ? new UniqueIntegrityConstraintViolationError(error as never) : error;
}
