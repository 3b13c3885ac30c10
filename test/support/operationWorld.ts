/** A workspace whose operations are called directly, without an interface. */
import type { Caller } from '../../src/access/caller.ts';
import { connectDb } from '../../src/database/db.ts';
import { parseInput } from '../../src/operations/input.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { AppError } from '../../src/values/errors.ts';
import { restWorld } from './restWorld.ts';

export async function operationWorld(databaseUrl: string, connections: number) {
  const [world, db] = await Promise.all([restWorld(databaseUrl), connectDb(databaseUrl, connections)]);
  const owner: Caller = { kind: 'user', userId: world.ownerId };
  /** Runs as the owner by default. Fills in an omitted `workspaceId`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation
  const run = async (operation: Operation<any, any>, input: object, caller: Caller = owner): Promise<any> =>
    perform(db, caller, operation, parseInput(operation.input, { workspaceId: world.workspaceId, ...input }));
  const end = async () => {
    await world.end();
    await db.close();
  };
  return { world, db, run, end };
}
export type OperationWorld = Awaited<ReturnType<typeof operationWorld>>;

/** The error of work that must be refused. */
export const refusal = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => {
      throw new Error('The operation was not refused.');
    },
    (error) => (error instanceof AppError ? error : Promise.reject(error)),
  );
