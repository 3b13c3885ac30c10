/** Rules for a record to save beyond types (items/decide.ts, behaviour §4.2 to §4.16), so that clients can foresee every 400. */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { applies, type Field, fieldNames, fields, linkNames, linkTargets } from '../../items/fields.ts';
import type { JsonSchema } from '../../operations/input.ts';
import { isRecord, ownValue } from '../../values/records.ts';
import { approvalStatuses, approvalTypes, statuses } from '../../workspaces/statuses.ts';

const disjunction = new Intl.ListFormat('en', { type: 'disjunction' });
const oneOf = (types: readonly ItemType[]) => disjunction.format(types.map((type) => `\`${type}\``));

const recordWords: Record<string, string> = {
  title: 'One line with at least one visible character.',
  id: 'The item to update. Leave it out to create an item.',
  type: 'Never changes: an update repeats it.',
  status:
    'A `status` that `statuses` of GET /options lists for the type. `pending_approval` and `approved` are entered and left on the web pages only: here that is 403.',
  version: 'The current version, which every answer with the item has.',
  ownerId: 'An `id` of `assignees` of GET /options. Null clears it.',
};

const fieldWords: Record<string, string> = {
  statusKey: 'The `key` of an entry of `statuses` of GET /options with this type and `status`; the first one when left out.',
  priorityKey: 'A `key` of `priorities` of GET /options.',
  assigneeId: 'An `id` of `assignees` of GET /options.',
  assigneeName: 'The name of the assignee. Read-only: set `assigneeId`.',
  blockedReason: 'Required with the status `blocked`; null with any other.',
  startDate: 'Not after `dueDate` or `targetDate`.',
  ...Object.fromEntries(linkNames.map((name) => [name, `An \`id\` of GET /items with the type ${oneOf(linkTargets(name, 'task'))}.`])),
  parentId: 'An `id` of GET /items with the same type.',
};

const typesOf = (name: string): string => {
  const types = ownValue<Field>(fields, name)?.types ?? itemTypes;
  return types.length === itemTypes.length ? '' : `Only for the type ${oneOf(types)}.`;
};

/** Describes some properties of an object; others are allowed. Redocly needs this stated explicitly. */
const having = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties, unevaluatedProperties: true });
const requiring = (name: string, value: JsonSchema): JsonSchema => ({ ...having({ [name]: value }), required: [name] });
const being = (name: string, value: string) => requiring(name, { const: value });
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const when = (condition: JsonSchema, properties: Record<string, JsonSchema>): JsonSchema => ({ if: condition, then: having(properties) });
const updating = requiring('id', {});

/** A field that does not apply accepts null. */
const ofType = (type: ItemType) =>
  when(being('type', type), {
    ...(approvalTypes.includes(type) ? {} : { status: { enum: statuses.filter((status) => !approvalStatuses.includes(status)) } }),
    fields: having(Object.fromEntries(fieldNames.filter((name) => !applies(name, type)).map((name) => [name, { type: 'null' }]))),
  });

const ofBlocked = [
  when(being('status', 'blocked'), { fields: having({ blockedReason: { type: 'string', pattern: '\\S' } }) }),
  when({ ...being('status', 'blocked'), not: updating }, { fields: requiring('blockedReason', {}) }),
  when({ not: { anyOf: [being('status', 'blocked'), updating] } }, { fields: having({ blockedReason: { type: 'null' } }) }),
];

export function explainWork({ WorkInput, WorkFieldsInput, WorkFields }: Record<string, JsonSchema>): void {
  for (const [schema, words] of [
    [WorkInput, (name: string) => recordWords[name]],
    [WorkFieldsInput, (name: string) => [fieldWords[name], typesOf(name)].filter(Boolean).join(' ')],
    [WorkFields, typesOf],
  ] as const) {
    for (const [name, property] of Object.entries(schema?.properties ?? {})) {
      if (!isRecord(property)) continue;
      const description = words(name);
      if (description) property.description = description;
      if (name === 'assigneeName') property.readOnly = true;
    }
  }
  if (WorkInput) WorkInput.allOf = [...itemTypes.map(ofType), ...ofBlocked];
}
