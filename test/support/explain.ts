/** The cost of a prepared statement, as the service sends its own. */
import type pg from 'pg';
import type { Statement } from '../bench/capture.ts';

export interface PlanNode {
  type: string;
  /** The table. '' for none. */
  on: string;
  /** Blocks touched by it and everything below. */
  blocks: number;
}

interface Explained {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Explained[];
}

let prepared = 0;

/** The nodes of its plan, topmost first, as executed with these values. `generic`: the one plan for all values, which db.ts requests. */
export async function explain(client: pg.Client, { text, values }: Statement, plan: 'generic' | 'custom' = 'generic'): Promise<PlanNode[]> {
  const name = `p${prepared++}`;
  await client.query(`set timezone = utc; set enable_seqscan = off; set plan_cache_mode = force_${plan}_plan; prepare ${name} as ${text}`);
  const literals = values.length ? `(${values.map(literal).join(', ')})` : '';
  const { rows } = await client.query(`explain (analyze, timing off, buffers, format json) execute ${name}${literals}`);
  await client.query(`deallocate ${name}`);
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
}

function nodesOf(node: Explained): PlanNode[] {
  const own = {
    type: node['Node Type'],
    on: node['Relation Name'] ?? '',
    blocks: node['Shared Hit Blocks'] + node['Shared Read Blocks'],
  };
  return [own, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** The tables among these that the plan scans completely. */
export const wholeReads = (nodes: PlanNode[], tables: string[]): string[] =>
  nodes.filter(({ type, on }) => type === 'Seq Scan' && tables.includes(on)).map(({ on }) => on);
