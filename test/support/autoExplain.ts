/** Costs of a service's statements and their triggers, as its own connection runs them. */
import pg from 'pg';
import { currentSuite } from './suite.ts';

export interface Step {
  /** The shortened statement. */
  statement: string;
  /** A node of its plan. */
  node: string;
  /** Rows that it read, in total. */
  rows: number;
  /** Blocks that it touched itself, each time. */
  blocks: number;
}

interface Explained {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Explained[];
}

/** Makes new connections to this database log every statement's plan. Needs a superuser. */
export async function explainAll(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const name = client.escapeIdentifier(client.database ?? '');
  const settings = { log_min_duration: 0, log_analyze: true, log_buffers: true, log_timing: false, log_nested_statements: true };
  await client.query(`alter database ${name} set session_preload_libraries = 'auto_explain'; load 'auto_explain'`);
  for (const [key, value] of Object.entries({ ...settings, log_format: 'json', log_level: 'notice' })) {
    await client.query(`alter database ${name} set auto_explain.${key} = '${value}'`);
  }
  await client.end();
}

/** Watches all new connections of the suite: call it at the top level of the file. Returns the steps since the last call. */
export function watchSteps(): () => Step[] {
  const told: string[] = [];
  const { connect } = pg.Client.prototype;
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  function connectWatched(this: pg.Client, ...given: any[]) {
    this.on('notice', ({ message = '' }) => {
      if (message.startsWith('duration')) told.push(message);
    });
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
    return (connect as any).apply(this, given);
  }
  const suite = currentSuite();
  suite.before(() => Object.assign(pg.Client.prototype, { connect: connectWatched }));
  suite.cleanup(() => Object.assign(pg.Client.prototype, { connect }));
  return () => told.splice(0).flatMap(stepsOf);
}

function stepsOf(message: string): Step[] {
  const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(message.indexOf('{')));
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, 100);
  return nodesOf(plan).map((node) => ({ statement, ...node }));
}

const blocksOf = (node: Explained) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

function nodesOf(node: Explained): Omit<Step, 'statement'>[] {
  const { 'Actual Loops': loops, Plans: below = [] } = node;
  const named = [node['Node Type'], node['Relation Name'], node['Index Name'], node['Index Cond']].filter(Boolean).join(' ');
  const own = {
    node: named,
    rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * loops,
    blocks:
      node['Node Type'].includes('Scan') && node['Relation Name']
        ? (blocksOf(node) - below.reduce((sum, one) => sum + blocksOf(one), 0)) / Math.max(1, loops)
        : 0,
  };
  return [own, ...below.flatMap(nodesOf)];
}
