/** `restore`: a restored database sends nothing until its operator releases the hold (behaviour §2.31). */
import { auditEvent, operator } from '../audit/audit.ts';
import type { Tx } from '../database/db.ts';
import { countWaiting, holdOutbound, readHold, readWorkers, releaseOutbound, type Waiting } from '../queue/queueQueries.ts';
import { countToDeliver } from '../webhooks/queries.ts';
import { command } from './command.ts';
import { beginEra, countSessions, endEverySession } from './doctorQueries.ts';
import { flag } from './options.ts';

interface State {
  held: boolean;
  waiting: Waiting & { webhookMessages: number };
}

async function stateOf(tx: Tx): Promise<State> {
  return { held: await readHold(tx), waiting: { ...(await countWaiting(tx)), webhookMessages: await countToDeliver(tx) } };
}

export const prepare = command({
  summary: 'hold emails, webhooks and reminders of a restored database; run it after migrate and before workers start',
  options: {
    'end-sessions': flag('sign everyone out'),
    'dry-run': flag('change nothing; show what a worker would send once it starts'),
  },
  note: 'The hold is stored in the database, for all processes. `restore finish` sends waiting messages.',
  async run(context, { 'end-sessions': endSessions, 'dry-run': dryRun }) {
    const db = await context.db();
    if (dryRun) return { ...(await stateOf(db.pool())), sessions: await countSessions(db.pool()) };
    const { alive } = await readWorkers(db.pool());
    if (alive)
      throw new Error(
        `${alive === 1 ? 'A worker process runs' : `${alive} worker processes run`} on this database, or did until 90 s ago: check DATABASE_URL, stop the workers, and run this again.`,
      );
    return db.transaction(async (tx) => {
      await holdOutbound(tx);
      await beginEra(tx);
      const accounts = endSessions ? await endEverySession(tx) : [];
      for (const id of accounts) await auditEvent(tx, operator(), 'sessions.ended', { type: 'account', id });
      return { ...(await stateOf(tx)), sessions: await countSessions(tx) };
    });
  },
  print({ sessions, ...state }) {
    return [
      state.held
        ? 'Emails, webhook messages and reminders are on hold.'
        : 'Nothing is on hold. A worker that starts now sends all waiting messages.',
      waitingLine(state),
      ...(state.held ? ['`restore finish` sends them.'] : []),
      `Active sessions: ${sessions}.`,
    ].join('\n');
  },
});

export const finish = command({
  summary: 'send the messages that `restore prepare` holds, each once; running workers start within seconds',
  options: {},
  async run(context) {
    const db = await context.db();
    return db.transaction(async (tx) => {
      const released = await releaseOutbound(tx);
      return { released, ...(await stateOf(tx)) };
    });
  },
  print({ released, ...state }) {
    return released ? `Workers now send the messages that were on hold.\n${waitingLine(state)}` : 'Nothing was on hold.';
  },
});

const waitingLine = ({ waiting: { mails, reminders, webhookMessages } }: State): string =>
  `Waiting: emails ${mails}, reminders ${reminders}, webhook messages at most ${webhookMessages}.`;
