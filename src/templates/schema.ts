/** The items of a template, stored as JSON (behaviour §37.5). Dates are those of the original; their distance from the earliest counts. */
import { z } from 'zod';
import { bits, resourceOf } from '../access/rights.ts';
import { applies, fieldNames, fields, isLink, type LinkName, linkNames, linkTargets } from '../items/fields.ts';
import { LabelIds, LagDays, MOST_BLOCKERS } from '../items/relationSchema.ts';
import { Description, ItemTypeSchema } from '../items/schema.ts';
import { leftOut, MOST_CHARACTERS, MOST_COPIED, type Tree } from '../items/tree.ts';
import { elementAt } from '../values/records.ts';
import { Label, Title } from '../values/text.ts';

export const TemplateName = Label(200);

/** Fields that a template keeps: without people, links, and the state of the original. */
const kept = fieldNames.filter((name) => name !== 'assigneeId' && !leftOut.includes(name) && !isLink(name));
const shape = Object.fromEntries(kept.map((name) => [name, fields[name].schema]));

const place = z
  .int('give the place of an item in this list')
  .min(0)
  .max(MOST_COPIED - 1);

/** `labels`: the schema of an item's labels, with its default. Import files have names instead of ids. */
export const templateItems = <Labels extends z.ZodType<unknown[]>>(labels: Labels) =>
  z
    .array(
      z.strictObject({
        type: ItemTypeSchema,
        title: Title,
        description: Description.default(''),
        fields: z.strictObject(shape).partial().default({}),
        /** Links to items of the template, by their place in the list. */
        links: z.partialRecord(z.enum(linkNames), place).default({}),
        labels,
        blockedBy: z
          .array(z.strictObject({ item: place, lagDays: LagDays.default(0) }))
          .max(MOST_BLOCKERS)
          .default([]),
      }),
      'give a list of items',
    )
    .min(1, `give 1 to ${MOST_COPIED} items`)
    .max(MOST_COPIED, `give at most ${MOST_COPIED} items`)
    .check(({ value: items, issues }) => {
      const fault = (path: (string | number)[], message: string) => issues.push({ code: 'custom', path, message, input: items });
      for (const [n, item] of items.entries()) {
        for (const name of kept)
          if (item.fields[name] != null && !applies(name, item.type))
            fault([n, 'fields', name], `does not apply to a ${item.type}; leave it out`);
        const links: Partial<Record<LinkName, number>> = item.links;
        for (const name of linkNames) {
          const above = links[name];
          if (above === undefined) continue;
          const to = items[above]?.type;
          if (above >= n || !to || !applies(name, item.type) || !linkTargets(name, item.type).includes(to))
            fault([n, 'links', name], 'give the position of an earlier item of a fitting type');
        }
        if (item.blockedBy.some(({ item: blocker }) => !items[blocker])) fault([n, 'blockedBy'], 'give positions of items in this list');
      }
      if (isCircular(items)) fault([], 'blockedBy forms a cycle; remove one of them');
      const characters = items.reduce(
        (sum, { description, fields: own }) => sum + description.length + String(own.acceptance ?? '').length,
        0,
      );
      if (characters > MOST_CHARACTERS) fault([], 'give shorter texts');
    });

export const TemplateItems = templateItems(LabelIds.default([]));
export type TemplateItems = z.infer<typeof TemplateItems>;

/** True if items wait for each other in a cycle. */
function isCircular(items: readonly { blockedBy: readonly { item: number }[] }[]): boolean {
  const waiting = new Set(items.keys());
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size;
    for (const n of waiting) if (!elementAt(items, n).blockedBy.some(({ item }) => waiting.has(item))) waiting.delete(n);
  }
  return waiting.size > 0;
}

/** Items of a tree for a template: without people and without links to items outside the tree. */
export const itemsOf = (tree: Tree): unknown[] =>
  tree.map(({ fields: own, ownerId: _owner, ...item }) => ({
    ...item,
    fields: Object.fromEntries(Object.entries(own).filter(([name]) => name in shape)),
  }));

/** The rights to write all types of these items. */
export const needsOf = (items: readonly { type: z.infer<typeof ItemTypeSchema> }[]): number =>
  items.reduce((all, { type }) => all | bits(resourceOf(type), 'write'), 0);
