/** What a person's own agents did: tool, outcome and time of each call, no arguments, no texts (behaviour §7.19). */
import { inAccount } from '../access/accountAccessQueries.ts';
import type { Read } from '../operations/operation.ts';
import { ActivityFilter } from './activityFilter.ts';
import { type ActivityRow, type OwnConnection, readActivity, readOwnConnections, readTools } from './pageQueries.ts';

export type { ActivityRow } from './pageQueries.ts';

export interface ListedActivity {
  connections: OwnConnection[];
  /** Those among the latest calls. */
  tools: readonly string[];
  /** Newest first. */
  rows: ActivityRow[];
  more: boolean;
}

export const listActivity: Read<ActivityFilter, ListedActivity> = {
  name: 'listActivity',
  input: ActivityFilter,
  async run(tx, caller, filter) {
    const { userId } = await inAccount(tx, caller, ['owner', 'admin', 'member']);
    const found = await readActivity(tx, userId, filter);
    return { ...found, connections: await readOwnConnections(tx, userId), tools: await readTools(tx, userId) };
  },
};
