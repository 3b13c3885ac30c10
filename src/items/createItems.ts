/** svc_create_items: up to 100 items, all or none, in one statement (behaviour §7.26). */
import { z } from 'zod';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { atIndex, Forbidden } from '../values/errors.ts';
import { Id, Text, Title } from '../values/text.ts';
import { decideItem, idsIn } from './decide.ts';
import { type LinkName, linkNames } from './fields.ts';
import { type AgentFacts, type ItemFacts, readFacts, readWorkspaceOf } from './queries.ts';
import { type ItemChange, StatusSchema, type Work, WorkFields } from './schema.ts';
import { canWarn, inBatch, type Warning, warningsOf } from './warnings.ts';
import { insertItems } from './writeQueries.ts';

const types = ['task', 'requirement', 'release', 'milestone'] as const;

const NewItem = z
  .strictObject({
    type: z.enum(types, { error: `give one of ${types.join(', ')}` }),
    title: Title,
    description: Text(0, 50_000).optional(),
    status: StatusSchema.optional(),
    ownerId: Id.nullable().optional(),
    fields: WorkFields.optional(),
  })
  .transform(withDefaults);
type NewItem = ItemChange & { type: ItemType };

const Input = z.strictObject({
  workspaceId: Id,
  items: z.array(NewItem, { error: 'give a list of 1 to 100 items' }).min(1, 'give 1 to 100 items').max(100, 'give at most 100 items'),
});
type Input = z.infer<typeof Input>;

/** An explicit default and an omitted value are the same request (behaviour §7.16). */
function withDefaults<T extends ItemChange & { type: ItemType }>({ type, title, description, status, ownerId, fields = {} }: T): NewItem {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  return {
    type,
    title,
    description: description ?? '',
    status: status ?? ('statusKey' in given ? undefined : 'planned'),
    ownerId: ownerId ?? undefined,
    fields: given,
  };
}

type CreatedItem = Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'> &
  Partial<Pick<Work['fields'], 'assigneeId' | 'dueDate' | 'targetDate' | 'estimatedHours' | Exclude<LinkName, 'goalId'>>>;

interface Created {
  items: CreatedItem[];
  warnings?: Warning[];
}

export const createItems: StatementWrite<Input, ItemFacts & AgentFacts, Created, undefined, Created> = {
  name: 'createItems',
  input: Input,

  async authorize(tx, caller, { workspaceId, items }, { replay }) {
    const permit = await readFacts(tx, caller, { workspaceId, ...idsIn(items), warns: canWarn(items) });
    items.forEach(({ type, fields = {} }, index) => {
      if (!holds(permit.rights, bits(resourceOf(type), 'write'))) throw new Forbidden({ index });
      // An item below a hidden item is hidden as well. A goal hides nothing.
      const above = linkNames.filter((name) => name !== 'goalId').map((name) => fields[name]);
      if (replay && above.some((id) => id != null && !(id in permit.targets))) throw new Forbidden({ index });
    });
    return permit;
  },

  async again(tx, { items }) {
    const workspaceId = await readWorkspaceOf(tx, items[0]!.id);
    // Receipts of earlier versions contain no links, so the items' visibility can't be checked.
    if (workspaceId === null || items.some((item) => !('releaseId' in item))) return null;
    const links = linkNames.filter((name) => name !== 'goalId');
    return {
      workspaceId,
      items: items.map((item) => ({ type: item.type, fields: Object.fromEntries(links.map((name) => [name, item[name]])) })),
    };
  },

  complete: async (_tx, _permit, { items, warnings }) => ({ items, ...(warnings?.length && { warnings }) }),

  decide(permit, { items }) {
    const rows = items.map(({ type, ...change }, index) => atIndex(index, () => decideItem(type, change, permit)));
    return {
      statement: insertItems(permit, rows, inBatch(rows.map((row) => warningsOf(permit, { stored: null, row, changed: {} })))),
      refused: async () => {
        throw new Forbidden();
      },
    };
  },
};
