import pg from 'pg';

/** Sets the name of this process's connections in pg_stat_activity. Call it before the first connection. */
export function nameConnections(process: 'web' | 'worker' | 'command'): void {
  pg.defaults.application_name = `stint ${process}`;
}
