/** Serves from the newest primary only (behaviour §1.26). After a failover the old primary may come back and still answer: with rows, and
 *  rights, that are out of date. */
import pg from 'pg';

/** A cluster, and its timeline: each promotion of a standby begins the next. */
export interface Timeline {
  cluster: string;
  number: number;
}

/** The highest timeline of each cluster that this process has been connected to. pg_upgrade makes another cluster. */
const newest = new Map<string, number>();

export const isOutdated = ({ cluster, number }: Timeline): boolean => number < (newest.get(cluster) ?? 0);

// The number of the timeline begins the name of a WAL file.
const QUESTION = `select s.standby, c.system_identifier::text as cluster,
    case when not s.standby then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
  from (select pg_is_in_recovery() as standby) s, pg_control_system() c`;

const ANSWER_WITHIN_MS = 5_000;

/** Throws if the server is a standby, or a primary from before a failover. Null if it has no WAL to ask about, as Aurora has none. */
export async function timelineOf(client: pg.Client): Promise<Timeline | null> {
  const row = await ask(client);
  if (!row) return null;
  if (row.standby) throw refusal('25006', 'The server is a standby.');
  const timeline = { cluster: row.cluster, number: Number.parseInt(row.timeline, 16) };
  const latest = newest.get(timeline.cluster) ?? 0;
  if (timeline.number < latest) throw refusal(OLD_PRIMARY, `Its timeline is ${timeline.number}, the current one is ${latest}.`);
  newest.set(timeline.cluster, timeline.number);
  return timeline;
}

async function ask(client: pg.Client) {
  try {
    const query = { text: QUESTION, query_timeout: ANSWER_WITHIN_MS };
    return (await client.query<{ standby: boolean; cluster: string; timeline: string }>(query)).rows[0]!;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.severity === 'ERROR') return null;
    throw error;
  }
}

/** In the place of an SQLSTATE. */
export const OLD_PRIMARY = 'STALE';

const refusal = (code: string, message: string) => Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity: 'FATAL' });
