/** Lists, makes, changes and uses the templates of a workspace (behaviour §37.5–§37.7). Only people on pages do this. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { atStart, type Made, retitled } from '../items/duplicateItem.ts';
import type { WriteFacts } from '../items/queries.ts';
import { Copied, createTree, mayWriteTree, type Tree, treeFacts, treeFrom, withoutDates } from '../items/tree.ts';
import type { Read, Write } from '../operations/operation.ts';
import { CalendarDate } from '../values/dates.ts';
import { InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id, Title } from '../values/text.ts';
import {
  deleteTemplate,
  insertTemplate,
  lockTemplates,
  readTemplate,
  readTemplatePermit,
  readTemplates,
  renameTemplate,
  replaceTemplate,
  type TemplateList,
} from './queries.ts';
import { itemsOf, needsOf, TemplateItems, TemplateName } from './schema.ts';

export type { ListedTemplate } from './queries.ts';

const Place = z.strictObject({ workspaceId: Id });

export const listTemplates: Read<z.infer<typeof Place>, TemplateList> = {
  name: 'listTemplates',
  input: Place,
  run: (tx, caller, { workspaceId }) => readTemplates(tx, caller, workspaceId),
};

/** Either a name for a new template, or the id of the one to replace. */
const Saved = z
  .strictObject({
    ...{ workspaceId: Id, id: Id, ...Copied.omit({ people: true }).shape },
    name: TemplateName.optional(),
    templateId: Id.optional(),
  })
  .refine(({ name, templateId }) => (name === undefined) !== (templateId === undefined), {
    path: ['name'],
    error: 'give a name, or choose the template to replace',
  });

/** Makes or replaces a template from an item. */
export const saveTemplate: Write<z.infer<typeof Saved>, object, { tree: Tree }> = {
  name: 'saveTemplate',
  input: Saved,
  async authorize(tx, caller, { workspaceId, id, below, labels, dependencies }) {
    const permit = await readTemplatePermit(tx, caller, workspaceId);
    const tree = await treeFrom(tx, caller, { workspaceId, id }, { below, labels, dependencies, people: false });
    mayWriteTree(permit, tree);
    return { ...permit, tree };
  },
  async run(tx, permit, { name, templateId }) {
    await lockTemplates(tx, permit);
    const content = { items: itemsOf(permit.tree), needs: needsOf(permit.tree) };
    if (templateId !== undefined) await replaceTemplate(tx, permit, templateId, content);
    else if (name !== undefined) await insertTemplate(tx, permit, { name, ...content });
    return {};
  },
};

const Named = z.strictObject({ workspaceId: Id, templateId: Id, name: TemplateName });

export const nameTemplate: Write<z.infer<typeof Named>, object> = {
  name: 'nameTemplate',
  input: Named,
  authorize: (tx, caller, { workspaceId }) => readTemplatePermit(tx, caller, workspaceId),
  async run(tx, permit, { templateId, name }) {
    await lockTemplates(tx, permit);
    await renameTemplate(tx, permit, templateId, name);
    return {};
  },
};

const One = z.strictObject({ workspaceId: Id, templateId: Id });

export const removeTemplate: Write<z.infer<typeof One>, object> = {
  name: 'removeTemplate',
  input: One,
  authorize: (tx, caller, { workspaceId }) => readTemplatePermit(tx, caller, workspaceId),
  async run(tx, permit, { templateId }) {
    await deleteTemplate(tx, permit, templateId);
    return {};
  },
};

const Used = z.strictObject({
  ...One.shape,
  /** Title of the first item. Default: its title in the template. */
  title: Title.optional(),
  /** The day of the earliest date; null: without dates. */
  start: CalendarDate.nullable(),
  /** Assignee of all tasks that are created. */
  assigneeId: Id.nullable(),
});
type Used = z.infer<typeof Used>;

/** Creates the items of a template. */
export const applyTemplate: Write<Used, Made, WriteFacts & { tree: Tree }> = {
  name: 'applyTemplate',
  input: Used,
  async authorize(tx, caller, input) {
    const tree = await treeOf(tx, caller, input);
    return { ...(await treeFacts(tx, caller, input.workspaceId, tree)), tree };
  },
  async run(tx, permit, { assigneeId }) {
    if (assigneeId !== null && !(assigneeId in permit.people))
      throw new InvalidRequest(['assigneeId'], 'can’t be assigned work in this workspace; choose another person.');
    const ids = await createTree(tx, permit, permit.tree);
    return { id: elementAt(ids, 0), count: ids.length };
  },
};

async function treeOf(tx: Tx, caller: Caller, { workspaceId, templateId, title, start, assigneeId }: Used): Promise<Tree> {
  const { items, labels } = await readTemplate(tx, caller, workspaceId, templateId);
  const now = new Map(labels.map((label) => [label.id, label.now]));
  const tree = TemplateItems.parse(items).map((item) => ({
    ...item,
    ownerId: null,
    labels: [...new Set(item.labels.flatMap((id) => now.get(id) ?? []))],
    fields: {
      ...item.fields,
      ...(assigneeId !== null && item.type === 'task' && { assigneeId }),
    },
  }));
  const dated = start === null ? withoutDates(tree) : atStart(tree, start);
  return title === undefined ? dated : retitled(dated, title);
}
