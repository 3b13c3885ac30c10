/** What PostgreSQL's own views (pg_stat_activity) call the connections of this process. */
import pg from 'pg';

/** Call it once, before the first connection is made. */
export function nameConnections(process: 'web' | 'worker' | 'command'): void {
  pg.defaults.application_name = `stint ${process}`;
}
