/** Previews the item that a line of work would create (behaviour §19.9). Saving uses the same code. */
import { z } from 'zod';
import { bits, holds, itemTypes, resourceOf } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { CalendarDate } from '../values/dates.ts';
import { Forbidden } from '../values/errors.ts';
import { countCharacters, Id, Text } from '../values/text.ts';
import type { ItemLabel } from '../workspaces/labelSchema.ts';
import type { Status } from '../workspaces/statuses.ts';
import { applies } from './fields.ts';
import type { LinkChoice } from './placeQueries.ts';
import { labelName, linkTo, numbersIn, parseQuickAdd, type QuickLine } from './quickAdd.ts';
import { readQuickContext } from './quickAddQueries.ts';
import type { WorkFields } from './schema.ts';

/** A line, and defaults from the place where it is typed. The line's own words take precedence. */
const QuickInput = z.strictObject({
  workspaceId: Id,
  type: z.enum(itemTypes),
  line: Text(0, 1_000),
  today: CalendarDate,
  statusKey: z.string().max(100).optional(),
  personId: Id.optional(),
  priorityKey: z.string().max(100).optional(),
  day: CalendarDate.optional(),
  below: Id.optional(),
  labelId: Id.optional(),
});
type QuickInput = z.infer<typeof QuickInput>;

export interface UnderstoodWork {
  title: string;
  faults: string[];
  unmatched: string[];
  below: LinkChoice | null;
  day: string | null;
  estimatedHours: number | null;
  person: { id: number; name: string } | null;
  priority: { key: string; label: string; rank: number } | null;
  /** `word` is unset for the label of the place where the line was typed. */
  labels: (ItemLabel & { word: string | undefined })[];
  words: QuickLine['words'];
  record: { type: (typeof itemTypes)[number]; title: string; description: string; status: Status; ownerId?: number; fields: WorkFields };
}

export const understandWork: Read<QuickInput, UnderstoodWork> = {
  name: 'understandWork',
  input: QuickInput,
  async run(tx, caller, input) {
    const { type, line, today } = input;
    const numbers = numbersIn(line);
    const below = numbers[0] ?? input.below;
    const ids = below === undefined ? [] : [below, ...numbers];
    const { rights, user_id: me, options, labels, targets } = await readQuickContext(tx, caller, input.workspaceId, ids);
    if (!holds(rights, bits(resourceOf(type), 'write'))) throw new Forbidden();
    const { assignees: people, priorities, statuses } = options;
    const said = parseQuickAdd(line, { today, me, people, priorities, labels });
    const meant = { ...given(input), ...said };
    const target = targets.find(({ id }) => id === below) ?? null;
    const link = target && linkTo(type, target.type);
    const status = statuses.find(({ key }) => key === meant.statusKey)?.status ?? 'planned';
    const missing = [...new Set(numbers)].filter((number) => !targets.some(({ id }) => id === number));
    const unmatched = [...said.unmatched, ...missing.map((number) => `#${number}`)];
    const faults = [
      ...said.faults,
      ...said.unmatched.map((name) => `${name} matches no ${labelName(name) === null ? 'assignable user' : 'label of this workspace'}.`),
      ...missing.map(notThere),
      ...(unmatched.length ? ['Correct it, or put it in double quotes to keep it in the title.'] : []),
      ...(below !== undefined && !link && !missing.includes(below) ? [belowFault(below, type, target !== null)] : []),
      ...titleFaults(said.title, line),
    ];
    const { day = null, estimatedHours = null, personId, priorityKey } = meant;
    const fields: WorkFields = {
      ...(meant.statusKey !== undefined && { statusKey: meant.statusKey }),
      ...(priorityKey !== undefined && { priorityKey }),
      ...(day && { [type === 'task' ? 'dueDate' : 'targetDate']: day }),
      ...(estimatedHours !== null && applies('estimatedHours', type) && { estimatedHours }),
      ...(personId !== undefined && type === 'task' && { assigneeId: personId }),
      ...(target && link && { [link]: target.id }),
    };
    const owner = personId !== undefined && type !== 'task' ? { ownerId: personId } : {};
    return {
      ...{ title: said.title, faults, unmatched, below: link ? target : null, day, estimatedHours },
      person: people.find(({ id }) => id === personId) ?? null,
      priority: priorities.find(({ key }) => key === priorityKey) ?? null,
      labels: labels
        .map((label) => ({ ...label, word: said.labels?.find(({ id }) => id === label.id)?.word }))
        .filter(({ id, word }) => word !== undefined || id === input.labelId),
      words: said.words,
      record: { type, title: said.title, description: '', status, ...owner, fields },
    };
  },
};

/** The part of the input of saveLabelledItem that a line gives. */
export const savedOf = ({ record, labels }: UnderstoodWork) => ({ record, labels: labels.map(({ id }) => id) });

type Meant = Partial<Omit<QuickLine, 'faults' | 'unmatched' | 'words'>> & { statusKey?: string | undefined };

const given = ({ statusKey, personId, priorityKey, day, below }: QuickInput): Meant =>
  Object.fromEntries(Object.entries({ statusKey, personId, priorityKey, day, below }).filter(([, value]) => value !== undefined));

const titleFaults = (title: string, line: string): string[] => {
  if (line.trim() === '') return [];
  if (title === '') return ['Add a title.'];
  return countCharacters(title) > 300 ? ['Give a title of at most 300 characters.'] : [];
};

const notThere = (number: number): string => `No item #${number} found in this workspace. Check the number.`;

const belowFault = (below: number, type: string, there: boolean): string =>
  there ? `A ${type} cannot be part of #${below}. Choose another parent.` : notThere(below);
