/** Finds the item to record or plan time on, by number or title words (behaviour §20.5), first among the user's own work. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused } from '../values/errors.ts';
import { containsPattern, Id, Text } from '../values/text.ts';
import { mine } from './myDay.ts';
import { readEverywhere, soughtBy } from './searchEverywhere.ts';

export const Choice = z.object({ id: z.number(), workspaceId: z.number(), workspace: z.string(), title: z.string() });
export type Choice = z.infer<typeof Choice>;

const Row = z.object({
  named: Choice.nullable(),
  known: z.array(Choice),
  workspaces: z.array(z.number()),
});
export type KnownWork = z.infer<typeof Row>;

export interface WorkAsked {
  right: number;
  id: number | null;
  words: readonly string[];
  limit: number;
}

const RECENT_DAYS = 21;
const MOST_RECENT = 50;

const columns = sql.fragment`i.id, i.workspace_id as "workspaceId", w.name as workspace, i.title`;
const choiceOf = (id: Fragment) => sql.fragment`
  (select i.id, i.workspace_id, i.title from items i join scope access on ${visible} where i.id = ${id} limit 1) i
  join workspaces w on w.id = i.workspace_id`;

/** CTEs for a statement with `access` to all workspaces: those with the right, and the caller's recent, planned and assigned work. */
export const knownWork = (may: Fragment): Fragment => sql.fragment`
  scope as (select * from access where ${may}),
  ${mine},
  recent as (
    select e.item_id as id, max(e.id) as latest from scope
    join time_parts p on p.user_id = scope.user_id and coalesce(p.moved_to, p.workspace_id) = scope.workspace_id and p.day > current_date - ${RECENT_DAYS}::integer
    join time_entries e on e.id = p.entry_id
    group by e.item_id order by 2 desc limit ${MOST_RECENT}
  ),
  planned as (
    select b.item_id as id from scope
    join plan_blocks b on b.user_id = scope.user_id and b.workspace_id = scope.workspace_id
    where b.state <> 'cancelled' and b.starts_at between now() - interval '2 days' and now() + interval '8 days'
  ),
  known as (
    select id, max(latest) as latest from (
      select id, latest from recent union all select id, null from planned union all select id, null from mine
    ) one group by id
  )`;

export const namedChoice = (id: number | null): Fragment =>
  sql.fragment`(select to_json(named) from (select ${columns} from ${choiceOf(sql.fragment`${id}::bigint`)}) named)`;

/** With these CTEs: items whose titles contain these words, as JSON. Recent work first, then the caller's open work. */
export function knownChoices(words: readonly string[], limit: number): Fragment {
  const patterns = words.map((word) => containsPattern(word.toLowerCase()));
  return sql.fragment`(select coalesce(json_agg(one), '[]') from (
    select ${columns} from known k cross join lateral ${choiceOf(sql.fragment`k.id`)}
    where lower(i.title) like all (${sql.array(patterns, 'text')})
    order by k.latest desc nulls last, i.id desc limit ${limit}
  ) one)`;
}

/** Throws Unauthenticated. */
export async function readKnownWork(tx: Tx, caller: Caller, { right, id, words, limit }: WorkAsked): Promise<KnownWork> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    ${knownWork(sql.fragment`rights & ${right} = ${right}`)}
    select ${namedChoice(id)} as named, ${knownChoices(words, limit)} as known,
      (select coalesce(json_agg(workspace_id), '[]') from scope) as workspaces
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

const MOST_CHOICES = 8;
const MOST_FOUND = 20;

const Input = z.strictObject({
  id: Id.nullable(),
  words: Text(0, 300),
  kind: z.enum(['time', 'plans']),
  limit: z.int().min(1).max(100).default(MOST_CHOICES),
});
type Input = z.infer<typeof Input>;

export interface WorkForTime {
  /** The found item; null if ambiguous. */
  work: Choice | null;
  /** The matching items, or the user's current work if none match. */
  choices: readonly Choice[];
  found: boolean;
}

export const workForTime: Read<Input, WorkForTime> = {
  name: 'workForTime',
  input: Input,
  searches: ({ id, words }) => id === null && words.trim() !== '',
  async run(tx, caller, { id, words, kind, limit }) {
    const right = bits(kind, 'write');
    const asked = { right, id, words: words.split(/\s+/u).filter(Boolean), limit };
    const known = await readKnownWork(tx, caller, asked);
    if (id !== null) return known.named ? meant(known.named) : { work: null, choices: known.known, found: false };
    if (!asked.words.length) return { work: null, choices: known.known, found: false };
    const fitting = known.known.length ? known.known : await findElsewhere(tx, caller, words, known);
    if (fitting.length) return chosenOf(fitting, words);
    return { work: null, choices: (await readKnownWork(tx, caller, { ...asked, words: [] })).known, found: false };
  },
};

const meant = (work: Choice): WorkForTime => ({ work, choices: [work], found: true });

function chosenOf(fitting: readonly Choice[], words: string): WorkForTime {
  const exact = fitting.filter(({ title }) => title.toLowerCase() === words.toLowerCase());
  const [only, ...others] = exact.length === 1 ? exact : fitting;
  return only && others.length === 0 ? { ...meant(only), choices: fitting } : { work: null, choices: fitting, found: true };
}

async function findElsewhere(tx: Tx, caller: Caller, words: string, { workspaces }: KnownWork): Promise<Choice[]> {
  const sought = soughtBy({ q: words, archived: false, limit: MOST_FOUND });
  if (!sought || !workspaces.length) return [];
  const { items } = await readEverywhere(tx, caller, { ...sought, number: null });
  const open = items.filter((one) => workspaces.includes(one.workspaceId) && one.status !== 'done' && one.status !== 'cancelled');
  const titled = open.filter(({ title }) => sought.words.every((word) => title.toLowerCase().includes(word.toLowerCase())));
  return titled.slice(0, MOST_CHOICES).map(({ id, workspaceId, workspace, title }) => ({ id, workspaceId, workspace, title }));
}
