/** Uses only the newest primary (behaviour §1.26). After a failover the old one may answer with outdated rows and rights. */
import pg from 'pg';

/** Each promotion of a standby starts the next timeline of a cluster. */
export interface Timeline {
  cluster: string;
  number: number;
}

/** Highest timeline of each cluster seen by this process. pg_upgrade creates a new cluster. */
const newest = new Map<string, number>();

export const isOutdated = ({ cluster, number }: Timeline): boolean => number < (newest.get(cluster) ?? 0);

// The first 8 hex digits of a WAL file name are the timeline.
const QUESTION = `select s.standby, c.system_identifier::text as cluster,
    case when not s.standby then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
  from (select pg_is_in_recovery() as standby) s, pg_control_system() c`;

const ANSWER_WITHIN_MS = 5_000;

/** Throws for a standby or an outdated primary. Null if the server has no WAL functions, as in Aurora. */
export async function timelineOf(client: pg.Client): Promise<Timeline | null> {
  const row = await ask(client);
  if (!row) return null;
  if (row.standby) throw refusal('25006', 'The server is a standby.');
  const timeline = { cluster: row.cluster, number: Number.parseInt(row.timeline, 16) };
  if (isOutdated(timeline))
    throw refusal(OLD_PRIMARY, `Its timeline is ${timeline.number}, the current one is ${newest.get(timeline.cluster)}.`);
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

/** Our code, where an SQLSTATE would be. */
export const OLD_PRIMARY = 'STALE';

const refusal = (code: string, message: string) => Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity: 'FATAL' });
