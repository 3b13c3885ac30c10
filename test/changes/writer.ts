/** A writing process for test/changes/many.db.test.ts: four writers at once, each a hundred items a transaction, as svc_create_items writes
 *  them. Arguments: the database's URL, the hash of a session, the workspace, and the total number of batches. */
import { connectDb } from '../../src/database/db.ts';
import { createItems } from '../../src/items/createItems.ts';

const [url, hash, workspaceId, batches] = process.argv.slice(2) as [string, string, string, string];
const WRITERS = 4;
const db = await connectDb(url, WRITERS);
const input = {
  workspaceId: Number(workspaceId),
  items: Array.from({ length: 100 }, (_, n) => ({ type: 'task' as const, title: `Task ${n}` })),
};
const caller = { kind: 'session', hash: Buffer.from(hash, 'hex') } as const;
const permit = await createItems.authorize(db.pool(), caller, input, { replay: false });
let left = Number(batches);
const write = async () => {
  while (left-- > 0) await db.transaction((tx) => createItems.run(tx, permit, input, undefined));
};
await Promise.all(Array.from({ length: WRITERS }, write));
await db.close();
