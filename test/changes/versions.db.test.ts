/** Two versions of an item differ by exactly the rows between them (behaviour §15.2): random edits through REST, MCP and pages, undone one
 *  by one from the rows. CHANGES_SEED=… repeats a run. */
import { Random } from '../chaos/random.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ask, call, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { draftOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: items are JSON, looked into freely
type Json = any;

const EDITS = isThorough ? 40 : 15;

const database = fileDatabase();
const seed = Number(process.env.CHANGES_SEED ?? Date.now() % 1_000_000);
const random = new Random(seed);
let world: McpWorld;
let ana: Visitor;
let links: Record<'goalId' | 'requirementId' | 'releaseId', number[]>;
test.before('an owner with a session, a key and an agent, and items to link to', async () => {
  world = await mcpWorld(database.url);
  ana = new Visitor(world.api.base.replace(/\/api\/v1$/, ''));
  ana.cookie = await world.fixtures.session(world.ownerId);
  const two = async (type: 'goal' | 'requirement' | 'release') =>
    Promise.all([1, 2].map(async () => (await world.owner.save(draftOf(type))).id as number));
  links = { goalId: await two('goal'), requirementId: await two('requirement'), releaseId: await two('release') };
});
test.after('stop', () => world?.end());

const orNull = <T>(value: T): T | null => (random.chance(0.25) ? null : value);
const day = () => `2026-12-${String(random.whole(10, 28))}`;
const word = () => `${random.pick(['Pier', 'Quay', 'Mole "Süd"', 'é😀', ' two\tblanks '])} ${random.whole(1, 9)}`;

/** A random edit of some of the fields. */
function edit(type: string): Json {
  const all: Json = {
    priorityKey: () => orNull(random.pick(['low', 'high', 'urgent'])),
    assigneeId: () => orNull(world.ownerId),
    estimatedHours: () => orNull(random.pick([0, 0.1, 1e-7, 12, 1e21])),
    progressPercent: () => orNull(random.whole(0, 100)),
    startDate: () => orNull('2026-12-01'),
    goalId: () => orNull(random.pick(links.goalId)),
    ...(type === 'release' ? {} : { dueDate: () => orNull(day()), acceptance: () => orNull(`${word()}\n\n${word()}`) }),
    ...(type === 'release' ? { versionLabel: () => orNull(word()), targetDate: () => orNull(day()) } : {}),
    ...(type === 'task' ? { requirementId: () => orNull(random.pick(links.requirementId)) } : {}),
    ...(type === 'requirement' ? { reach: () => orNull(random.whole(0, 5)), releaseId: () => orNull(random.pick(links.releaseId)) } : {}),
  };
  const fields = Object.fromEntries(
    Object.entries(all).flatMap(([name, make]) => (random.chance(0.25) ? [[name, (make as () => unknown)()]] : [])),
  );
  const status = random.pick(['planned', 'in_progress', 'in_review', 'done', 'blocked', 'cancelled']);
  const statusToo = random.chance(0.4) ? { status } : {};
  if (statusToo.status === 'blocked') fields.blockedReason = word();
  return {
    ...(random.chance(0.4) && { title: word().trim() }),
    ...(random.chance(0.3) && { description: random.chance(0.2) ? '' : `${word()}\n${word()}` }),
    ...(random.chance(0.2) && { ownerId: orNull(world.ownerId) }),
    ...statusToo,
    fields,
  };
}

const faces: Record<string, (item: Json) => Promise<unknown>> = {
  async REST(item) {
    const { id, version, type, title, description, status } = item;
    await world.owner.post('/items/save', { record: { id, version, type, title, description, status, ...edit(type) } });
  },
  tool: ({ id, version, type }) => call(world.agent, 'svc_update_item', once({ id, version, ...edit(type) })),
  async page({ id, type }) {
    const at = `/workspaces/${world.workspaceId}/items/${id}`;
    await ana.go(`${at}/edit`);
    const { title, description, fields } = edit(type);
    const given = Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => name !== 'blockedReason')
        .map(([name, value]) => [name, String(value ?? '')]),
    );
    await ana.send('/edit', { ...given, ...(title && { title }), ...(description !== undefined && { description }) });
  },
  async approval({ id, type, status }) {
    if (type === 'task') return;
    await ana.go(`/workspaces/${world.workspaceId}/items/${id}`);
    if (!ana.at.html.includes('/approval"')) return;
    const decision = status === 'pending_approval' ? random.pick(['approve', 'reject']) : 'request';
    await ana.send('/approval', { decision, comment: 'Because.' });
  },
  comment: ({ id }) => ask(world.agent, 'svc_add_note', once({ id, body: 'Said.' })),
};

/** The item without fields that have no rows. */
function stateOf({ id: _id, type: _type, version: _version, fields, ...own }: Json): Json {
  const { assigneeName: _name, ...rest } = fields;
  // Left out where the type has no owner.
  return { ownerId: null, ...own, ...rest };
}

const empty = (item: Json) => Object.fromEntries(Object.keys(stateOf(item)).map((name) => [name, name === 'description' ? '' : null]));

test('after any edit through REST, MCP or pages, each version is the one before plus its row', async (t) => {
  t.log(`CHANGES_SEED=${seed}`);
  for (const type of ['task', 'requirement', 'release'] as const) {
    const made = await world.owner.save({ ...draftOf(type), ...edit(type), title: 'First', status: 'planned', fields: {} });
    const states = new Map<number, Json>([[1, stateOf(made)]]);
    let item: Json = made;
    for (let n = 0; n < EDITS; n++) {
      await faces[random.pick(Object.keys(faces))]!(item);
      item = (await world.owner.get('/item', { id: made.id })).body;
      states.set(item.version, stateOf(item));
    }
    t.true(item.version > EDITS / 4, `${item.version} versions of a ${type}`);
    t.deepEqual(
      [...states.keys()].sort((a, b) => a - b),
      Array.from({ length: item.version }, (_, n) => n + 1),
    );
    const rows = await rowsOf(made.id, item.version);
    t.deepEqual(
      rows.map(({ version }) => version),
      [...states.keys()].sort((a, b) => b - a),
      'one row for each version, newest first',
    );
    const state = { ...stateOf(item) };
    for (const row of rows) {
      t.deepEqual(state, states.get(row.version), `version ${row.version}`);
      await undo(t, state, row);
    }
    t.deepEqual(state, empty(item), 'before the first there is nothing');
  }
});

/** The item's own rows, newest first. */
async function rowsOf(itemId: number, versions: number): Promise<Json[]> {
  const { body } = await eventually(
    () => world.owner.get('/changes', { itemId, limit: 200 }),
    (answer) => answer.body.changes.at(-1)?.version === versions,
  );
  return body.changes.filter(({ kind }: Json) => kind !== 'comment.created').reverse();
}

async function undo(
  t: { deepEqual(a: unknown, b: unknown, words?: string): unknown; not(a: unknown, b: unknown): unknown },
  state: Json,
  row: Json,
): Promise<void> {
  const texts = await world.fixtures.sql('select name, before from change_texts where change_id = $1', [row.id]);
  for (const [name, change] of Object.entries(row.fields) as [string, Json][]) {
    if (change === true) {
      const kept = texts.find((text) => text.name === name);
      state[name] = kept ? kept.before : name === 'description' ? '' : null;
      continue;
    }
    t.deepEqual(state[name], change[1], `${name} after version ${row.version}`);
    t.not(change[0], change[1]);
    state[name] = change[0];
  }
}
