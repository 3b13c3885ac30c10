/** svc_create_items: up to 100 items, all or none (behaviour §7.26). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { ItemType } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { atPath, Forbidden, type Path } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id, Title } from '../values/text.ts';
import { isBelowHidden } from './changedFields.ts';
import { changeItems, type ItemEdit, mayWrite, type SavedItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { applies, linkNames, linkTargets } from './fields.ts';
import { readFacts, readWorkspaceOf, type WriteFacts } from './queries.ts';
import type { ListedRelations } from './relationSchema.ts';
import type { ItemChange, Work } from './schema.ts';
import { content } from './updateItem.ts';
import { asAbove, canWarn, type Warning } from './warnings.ts';

const types = ['task', 'requirement', 'release', 'milestone'] as const;
const MOST = 100;

const links = linkNames.filter((name) => name !== 'goalId');

const type = z.enum(types, { error: `give one of ${types.join(', ')}` });
type NewItem = ItemChange & { type: ItemType } & ListedRelations;
type NewItems = NewItem & { below?: NewItem[] };

const ItemBelow = z.strictObject({ type: type.default('task'), title: Title, ...content }).transform(withDefaults);
const NewItem = z
  .strictObject({ type, title: Title, ...content, below: z.array(ItemBelow, { error: 'give a list of items' }).optional() })
  .transform(({ below, ...item }): NewItems => ({ ...withDefaults(item), ...(below?.length && { below }) }));

const Input = z
  .strictObject({
    workspaceId: Id,
    items: z.array(NewItem, { error: 'give a list of 1 to 100 items' }).min(1, 'give 1 to 100 items').max(MOST, 'give at most 100 items'),
  })
  .check(({ value: { items }, issues }) => {
    const fault = (path: Path, message: string) => issues.push({ code: 'custom', path: [...path], message, input: items });
    if (placed(items).length > MOST) fault(['items'], 'give at most 100 items, those in below included');
    items.forEach(({ type, below = [] }, index) => {
      below.forEach((item, at) => {
        const path = ['items', index, 'below', at];
        const link = linkBetween(item.type, type);
        if (!link) fault([...path, 'type'], `a ${item.type} can't be below a ${type}; make it an entry of items instead`);
        else if (item.fields?.[link] != null) fault([...path, 'fields', link], 'leave it out; below sets it');
      });
    });
  });
type Input = z.infer<typeof Input>;

/** The link that places an item of type `below` under one of type `above`. At most one fits. */
const linkBetween = (below: ItemType, above: ItemType) =>
  links.find((name) => applies(name, below) && linkTargets(name, below).includes(above));

/** All items in the order of the answer: each one, then those below it. `up`: the index of the item above. */
const placed = (items: readonly NewItems[]): { path: Path; item: NewItem; up: number | null }[] =>
  items.flatMap(({ below = [], ...item }, up) => [
    { path: ['items', up], item, up: null },
    ...below.map((item, at) => ({ path: ['items', up, 'below', at], item, up })),
  ]);

/** An explicit default and an omitted value are the same request (behaviour §7.16). */
function withDefaults({ type, title, description, status, ownerId, fields = {}, labels, blockedBy }: NewItem): NewItem {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  return {
    type,
    title,
    description: description ?? '',
    status: status ?? ('statusKey' in given ? undefined : 'planned'),
    ownerId: ownerId ?? undefined,
    fields: given,
    ...(labels?.length && { labels }),
    ...(blockedBy?.length && { blockedBy }),
  };
}

const shown = ['assigneeId', 'dueDate', 'targetDate', 'estimatedHours', ...links] as const;
type CreatedItem = Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'> &
  Partial<Pick<Work['fields'], (typeof shown)[number]>> & { alsoStored?: string[] };

interface Created {
  items: CreatedItem[];
  warnings?: Warning[];
}

/** Keeps nulls: a receipt without links comes from an older version. `alsoStored`: the given fields that the answer does not show. */
function created({ id, version, row, changed }: SavedItem, given: NewItem): CreatedItem {
  const { type, title, status, fields } = row;
  const answer = { id, type, title, status, version, ...Object.fromEntries(shown.map((name) => [name, fields[name]])) };
  const alsoStored = Object.keys(changed).filter((name) => name in { ...given, ...given.fields } && !(name in answer));
  return { ...answer, ...(alsoStored.length && { alsoStored }) };
}

function editOf({ type, labels, blockedBy, fields, ...change }: NewItem, above?: SavedItem): ItemEdit {
  const link = above && linkBetween(type, above.row.type);
  return { type, change: { ...change, fields: { ...fields, ...(link && { [link]: above.id }) } }, relations: { labels, blockedBy } };
}

/** The facts for links to items that this write has just made. */
function withTargets(permit: Permit & WriteFacts, made: readonly SavedItem[]): Permit & WriteFacts {
  const targets = Object.fromEntries(made.map(({ id, row }) => [id, row.type]));
  const above = Object.fromEntries(made.map(({ id, row }) => [id, asAbove(row)]));
  return {
    ...permit,
    targets: { ...permit.targets, ...targets },
    warns: permit.warns && { ...permit.warns, above: { ...permit.warns.above, ...above } },
  };
}

export const createItems: Write<Input, Created, WriteFacts> = {
  name: 'createItems',
  input: Input,

  async authorize(tx, caller, { workspaceId, items }, { replay }) {
    const all = placed(items);
    const changes = all.map(({ item }) => item);
    const permit = await readFacts(tx, caller, { workspaceId, ...idsIn(changes), warns: canWarn(changes) });
    for (const { path, item } of all) {
      atPath(path, () => {
        mayWrite(permit, item.type);
        if (replay && isBelowHidden(item.fields ?? {}, permit)) throw new Forbidden();
      });
    }
    return permit;
  },

  async inputOf(tx, { items }: Created) {
    const workspaceId = await readWorkspaceOf(tx, elementAt(items, 0).id);
    // Receipts of earlier versions contain no links, so the items' visibility can't be checked.
    if (workspaceId === null || items.some((item) => !('releaseId' in item))) return null;
    const made = new Set(items.map(({ id }) => id));
    const earlier = (id: number | null | undefined) => (id != null && made.has(id) ? null : id);
    return {
      workspaceId,
      items: items.map((item) => ({ type: item.type, fields: Object.fromEntries(links.map((name) => [name, earlier(item[name])])) })),
    };
  },

  async run(tx, permit, { items }) {
    const all = placed(items).map((one, place) => ({ ...one, place }));
    const uppers = all.filter(({ up }) => up === null);
    const lowers = all.filter(({ up }) => up !== null);
    const above = await changeItems(
      tx,
      permit,
      uppers.map(({ item }) => editOf(item)),
    );
    const below = lowers.length
      ? await changeItems(
          tx,
          withTargets(permit, above.items),
          lowers.map(({ item, up }) => editOf(item, elementAt(above.items, up ?? 0))),
          { pathOf: (n) => elementAt(lowers, n).path },
        )
      : { items: [], warnings: [] };
    const inAnswer = (made: typeof above, of: typeof all) => ({
      items: made.items.map((item, n) => ({ ...elementAt(of, n), made: item })),
      warnings: made.warnings.map((one) => ({ ...one, index: elementAt(of, one.index ?? 0).place })),
    });
    const [first, then] = [inAnswer(above, uppers), inAnswer(below, lowers)];
    const saved = [...first.items, ...then.items].sort((a, b) => a.place - b.place).map(({ made, item }) => created(made, item));
    const warnings = [...first.warnings, ...then.warnings];
    return { items: saved, ...(warnings.length && { warnings }) };
  },

  // Receipts of older versions may contain an empty list of warnings.
  replay: async (_tx, _permit, { items, warnings }: Created) => ({ items, ...(warnings?.length && { warnings }) }),
};
