/** Repeats a write to a web process until it is accepted. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { callTool, type Stage, writeOnce } from './tool.ts';

const PATIENCE_MS = 20_000;

/** Each write records a minute on an item made for it. */
export async function makeProbe(stage: Stage, ledger: Ledger, random: Random, key: string, workspaceId: number): Promise<Probe> {
  const title = ledger.fresh('items');
  const made = await writeOnce(stage, random, key, 'svc_create_items', { workspaceId, items: [{ type: 'task', title }] });
  ledger.acknowledged('items', title);
  const itemId = made.items[0].id;

  const writes = async (life: Parameters<typeof callTool>[1]) => {
    const note = ledger.fresh('time_entries');
    const given = { requestId: randomUUID(), action: 'log', itemId, date: new Date().toISOString().slice(0, 10), minutes: 1, note };
    stage.counts.writes++;
    const outcome = await callTool(stage, life, key, 'svc_time', given);
    if (outcome && outcome !== 'refused') ledger.acknowledged('time_entries', note);
    return outcome !== null;
  };
  return async (member) => {
    const { life } = member;
    const started = performance.now();
    while (life.baseUrl && !life.killed && !member.held) {
      if (await writes(life)) return performance.now() - started;
      if (performance.now() - started > PATIENCE_MS) return Number.POSITIVE_INFINITY;
      await sleep(50);
    }
    return null;
  };
}
