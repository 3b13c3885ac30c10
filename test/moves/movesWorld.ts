/** A workspace whose operations are called directly, for tests of moves. */
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileDatabase } from '../support/database.ts';
import { type OperationWorld, operationWorld } from '../support/operationWorld.ts';
import { currentSuite } from '../support/suite.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every operation
export type Any = any;

/** Call it at the top level of the file; read `url`, `world` and `db` in hooks and tests. */
export function movesWorld() {
  const database = fileDatabase();
  let made: OperationWorld | undefined;
  const suite = currentSuite();
  suite.before('a workspace', async () => {
    made = await operationWorld(database.url, 6);
  });
  suite.after('stop', () => made?.end());
  return {
    get url() {
      return database.url;
    },
    get world() {
      return made!.world;
    },
    get db() {
      return made!.db;
    },
    sql: (text: string, values: unknown[] = []) => made!.world.fixtures.sql(text, values),
    /** As a person, or another caller. */
    act: (who: number | Caller, operation: Operation<Any, Any>, input: object): Promise<Any> =>
      perform(made!.db, typeof who === 'number' ? { kind: 'user', userId: who } : who, operation, operation.input.parse(input)),
    session: async (userId: number): Promise<Caller> => ({
      kind: 'session',
      hash: hashSecret(await made!.world.fixtures.session(userId)),
    }),
  };
}
