import type pg from 'pg';
import type { PoolClient } from 'pg';
import { createDriverFactory, type DriverFactory, type DriverQueryResult } from 'slonik';
import { asSlonikError, connectionOf, leavesSession } from './connections.ts';
import { named } from './statements.ts';

const noFields: DriverQueryResult['fields'] = [];

export function pgDriver(pool: pg.Pool, prepares: boolean): DriverFactory {
  return createDriverFactory(async () => ({
    createPoolClient: async ({ clientEventEmitter }) => {
      let client: PoolClient;
      let spoilt = false;
      const tell = (error: Error) => clientEventEmitter.emit('error', error);
      return {
        async connect() {
          client = await connectionOf(pool);
          client.on('error', tell);
        },
        async end() {
          client.off('error', tell);
          client.release(spoilt || client.getTransactionStatus() !== 'I');
        },
        async query(text, values) {
          try {
            // BEGIN, COMMIT and ROLLBACK come without values.
            const result = await client.query(
              prepares && values ? named(client, text, values as unknown[]) : { text, values: values as unknown[] },
            );
            // PostgreSQL answers COMMIT with ROLLBACK if an earlier statement failed and its error was caught.
            if (text === 'COMMIT' && result.command === 'ROLLBACK') throw new Error('The transaction had failed, and is undone.');
            return {
              command: result.command as DriverQueryResult['command'],
              fields: noFields,
              rowCount: result.rowCount,
              rows: result.rows,
            };
          } catch (error) {
            spoilt ||= !leavesSession(error);
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
