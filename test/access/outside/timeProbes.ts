/** The agent's tools for a person's own time and plans. */
import { once } from './faces.ts';
import { ABSENT, day, differ, judge, ownOrOthers, type Probe, pickItem, revisionOf, type Scene } from './probe.ts';
import { level, mayChangeTime, reaches, sees } from './rules.ts';
import type { Block, Entry, Item } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;

const myTime: Make = ({ town, faces, caller }) => {
  const places = town.workspaces.filter((one) => reaches(caller, one));
  const reads = (kind: 'time' | 'plans') => places.filter((one) => level(caller, one, kind) >= 1);
  const [time, plans] = [reads('time'), reads('plans')];
  // Time recorded on an invisible item is still listed, without the item.
  const entries = caller.user.entries.filter(({ item }) => time.includes(item.workspace));
  const shown = (entry: { id: number; item: Item }) => [entry.id, sees(caller, entry.item)];
  const sorted = (pairs: unknown[][]) => pairs.sort((a, b) => Number(a[0]) - Number(b[0]));
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const seen = (one: any) => [one.id, (one.itemTitle ?? one.title) !== undefined];
  return {
    ...{ name: 'svc_my_time', target: '', expected: judge(caller, time.length + plans.length > 0) },
    send: () => faces.tool(caller, 'svc_my_time', { from: day(0), to: day(3) }),
    check: ({ entries: found, planBlocks }) =>
      differ(sorted(found.map(seen)), sorted(entries.filter(({ running }) => !running).map(shown))) ??
      differ(planBlocks.length, caller.user.blocks.filter(({ item }) => plans.includes(item.workspace)).length),
  };
};

const log: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const item = random.chance(0.06) ? null : pickItem(scene);
  const allowed = () => item !== null && sees(caller, item) && level(caller, item.workspace, 'time') >= 2;
  const note = item ? town.marks.mark({ kind: 'time', user: caller.user, workspace: item.workspace }) : '';
  const args = once({ action: 'log', itemId: item?.id ?? ABSENT, date: day(0), minutes: 1, note });
  return {
    ...{ name: 'svc_time log', target: item?.ref ?? 'nothing', expected: judge(caller, allowed()) },
    send: () => faces.tool(caller, 'svc_time', args),
    learn: ({ entry, replayed }) => void (replayed || caller.user.entries.push({ id: entry.id, item: item!, running: false })),
    replay: () => judge(caller, allowed()),
  };
};

const annotate: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const found = ownOrOthers<Entry>(scene, ({ entries }) => entries.filter(({ running }) => !running));
  const id = found?.one.id ?? ABSENT;
  const stale = random.chance(0.1);
  const revision = (await revisionOf(scene, 'time_entries', id)) + (stale ? 1 : 0);
  const allowed = () => found?.own === true && mayChangeTime(caller, found.one);
  const change = random.chance(0.5) ? { action: 'annotate' } : { action: 'correct', reason: 'It was so' };
  const args = once({ ...change, entryId: id, revision, note: '' });
  return {
    ...{ name: `svc_time ${change.action}`, target: `entry ${id}`, expected: judge(caller, allowed(), stale ? 'conflict' : 'ok') },
    send: () => faces.tool(caller, 'svc_time', args),
    replay: () => judge(caller, allowed()),
  };
};

/** Starts the timer. If one is running, stops it or gets a refusal. */
const timer: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const running = caller.user.entries.find((entry) => entry.running);
  if (running && random.chance(0.7)) return stop(scene, running);
  const item = pickItem(scene);
  const allowed = () => sees(caller, item) && level(caller, item.workspace, 'time') >= 2;
  const args = once({ action: 'start', itemId: item.id });
  return {
    ...{ name: 'svc_time start', target: item.ref, expected: judge(caller, allowed(), running ? 'conflict' : 'ok') },
    send: () => faces.tool(caller, 'svc_time', args),
    learn: ({ entry, replayed }) => void (replayed || caller.user.entries.push({ id: entry.id, item, running: true })),
    replay: () => judge(caller, allowed()),
  };
};

async function stop(scene: Scene, entry: Entry): Promise<Probe> {
  const { faces, caller } = scene;
  const args = once({ action: 'stop', entryId: entry.id, revision: await revisionOf(scene, 'time_entries', entry.id) });
  return {
    ...{ name: 'svc_time stop', target: `on ${entry.item.ref}`, expected: judge(caller, mayChangeTime(caller, entry)) },
    send: () => faces.tool(caller, 'svc_time', args),
    learn: () => {
      entry.running = false;
    },
    replay: () => judge(caller, mayChangeTime(caller, entry)),
  };
}

const plan: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const item = random.chance(0.06) ? null : pickItem(scene);
  const autoStart = random.chance(0.3);
  const allowed = () =>
    item !== null &&
    sees(caller, item) &&
    level(caller, item.workspace, 'plans') >= 2 &&
    (!autoStart || level(caller, item.workspace, 'time') >= 2);
  const note = item ? town.marks.mark({ kind: 'plan', user: caller.user, workspace: item.workspace }) : '';
  const args = once({
    action: 'create',
    itemId: item?.id ?? ABSENT,
    startLocal: `${day(1)}T23:00`,
    endLocal: `${day(1)}T23:30`,
    timezone: 'UTC',
    note,
    autoStart,
  });
  return {
    ...{
      name: `svc_plan_block create${autoStart ? ' autoStart' : ''}`,
      target: item?.ref ?? 'nothing',
      expected: judge(caller, allowed()),
    },
    send: () => faces.tool(caller, 'svc_plan_block', args),
    learn: ({ block, replayed }) => void (replayed || caller.user.blocks.push({ id: block.id, item: item!, state: 'scheduled' })),
    replay: () => judge(caller, allowed()),
  };
};

const move: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const found = ownOrOthers<Block>(scene, ({ blocks }) => blocks);
  const id = found?.one.id ?? ABSENT;
  const action = random.pick(['start', 'cancel', 'cancel'] as const);
  const revision = await revisionOf(scene, 'plan_blocks', id);
  const place = found?.one.item.workspace;
  const allowed = () =>
    found?.own === true &&
    sees(caller, found.one.item) &&
    level(caller, place!, 'plans') >= 2 &&
    (action === 'cancel' || level(caller, place!, 'time') >= 2);
  const runs = caller.user.entries.some(({ running }) => running);
  const can = action === 'start' ? found?.one.state === 'scheduled' && !runs : found?.one.state !== 'cancelled';
  const args = once({ action, blockId: id, revision });
  return {
    ...{ name: `svc_plan_block ${action}`, target: `block ${id}`, expected: judge(caller, allowed(), can ? 'ok' : 'conflict') },
    send: () => faces.tool(caller, 'svc_plan_block', args),
    learn: ({ replayed }) => (replayed ? undefined : moved(scene, found!.one, action)),
    replay: () => judge(caller, allowed()),
  };
};

async function moved({ fixtures, caller }: Scene, block: Block, action: 'start' | 'cancel'): Promise<void> {
  block.state = action === 'start' ? 'running' : 'cancelled';
  if (action === 'cancel') return;
  const [row] = await fixtures.sql('select entry_id from plan_blocks where id = $1', [block.id]);
  caller.user.entries.push({ id: Number(row.entry_id), item: block.item, running: true });
}

export const timeProbes: [weight: number, make: Make][] = [
  [3, myTime],
  [3, log],
  [3, annotate],
  [3, timer],
  [3, plan],
  [3, move],
];
