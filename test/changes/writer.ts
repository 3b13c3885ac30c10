/** A writing process for test/changes/many.db.test.ts: four writers at once, each a hundred items a statement, as svc_create_items writes
 *  them. Arguments: the database's URL, the hash of a session, the workspace, and the total number of batches. */
import { z } from 'zod';
import { connectDb } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { createItems } from '../../src/items/createItems.ts';

const [url, hash, workspaceId, batches] = process.argv.slice(2) as [string, string, string, string];
const WRITERS = 4;
const db = await connectDb(url, WRITERS);
const tx = db.pool();
const input = {
  workspaceId: Number(workspaceId),
  items: Array.from({ length: 100 }, (_, n) => ({ type: 'task' as const, title: `Task ${n}` })),
};
const permit = await createItems.authorize(tx, { kind: 'session', hash: Buffer.from(hash, 'hex') }, input, { replay: false });
// Decide once, because concurrency limits are not under test here.
const change = createItems.decide(permit, input);
if (!('statement' in change)) throw new Error('There is nothing to write.');
const Written = z.object({ result: z.string() });
let left = Number(batches);
const write = async () => {
  while (left-- > 0) await tx.one(sql.type(Written)`with ${change.statement} select result::text as result from change`);
};
await Promise.all(Array.from({ length: WRITERS }, write));
await db.close();
