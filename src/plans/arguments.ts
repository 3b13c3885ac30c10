/** The arguments of svc_plan_block: a flat object whose `action` decides which properties are allowed (behaviour §10.2). */
import { z } from 'zod';
import { argumentsByAction } from '../operations/input.ts';
import { EntryNote, Revision } from '../time/arguments.ts';
import { LocalDateTime, Zone } from '../values/dates.ts';
import { Id } from '../values/text.ts';
import { RemindMinutes, USUAL_REMIND_MINUTES } from './schema.ts';

export const blockActions = ['create', 'move', 'start', 'cancel'] as const;

const flag = z.boolean({ error: 'give true or false' }).optional();

const byAction = argumentsByAction(
  {
    create: {
      required: ['itemId', 'startLocal', 'endLocal'],
      optional: ['timezone', 'note', 'autoStart', 'autoStop', 'remindStart', 'remindMinutes', 'remindEnd'],
    },
    'create with blocks': { required: ['blocks'], optional: ['timezone'] },
    move: { required: ['blockId', 'revision', 'startLocal', 'endLocal'], optional: [] },
    start: { required: ['blockId'], optional: ['revision'] },
    cancel: { required: ['blockId'], optional: ['revision'] },
  },
  ({ action, blocks }) => (action === 'create' && blocks !== undefined ? 'create with blocks' : String(action)),
);

const defaults = { note: '', autoStart: false, autoStop: false, remindStart: false, remindEnd: false };

/** An omitted option and an explicit default are the same request. Receipts from before `remindMinutes` must match, so its default is left out. */
const withDefaults = <T extends { remindMinutes?: number | undefined }>({ remindMinutes, ...given }: T) => ({
  ...defaults,
  ...given,
  ...(remindMinutes !== undefined && remindMinutes !== USUAL_REMIND_MINUTES && { remindMinutes }),
});

const options = {
  note: EntryNote.optional(),
  autoStart: flag,
  autoStop: flag,
  remindStart: flag,
  remindMinutes: RemindMinutes.optional(),
  remindEnd: flag,
};
const Block = z.strictObject({ itemId: Id, startLocal: LocalDateTime, endLocal: LocalDateTime, ...options });

interface Checked<T> {
  value: T;
  issues: z.core.$ZodRawIssue[];
}
function remindsAtAll({ value: { remindStart, remindMinutes }, issues }: Checked<Partial<z.infer<typeof Block>>>): void {
  if (remindMinutes === undefined || remindStart) return;
  issues.push({ code: 'custom', path: ['remindMinutes'], message: 'give it with remindStart true, or leave it out', input: remindMinutes });
}

export const BlockArguments = z
  .strictObject({
    action: z.enum(blockActions, `give one of ${blockActions.join(', ')}`),
    ...Block.partial().shape,
    timezone: Zone.optional(),
    blocks: z
      .array(Block.check(remindsAtAll), 'give a list of 1 to 10 blocks')
      .min(1, 'give 1 to 10 blocks')
      .max(10, 'give at most 10 blocks')
      .optional(),
    blockId: Id.optional(),
    revision: Revision.optional(),
  })
  .check(byAction)
  .check(remindsAtAll)
  .overwrite((given) => {
    if (given.action !== 'create') return given;
    return given.blocks ? { ...given, blocks: given.blocks.map(withDefaults) } : withDefaults(given);
  });
export type BlockArguments = z.infer<typeof BlockArguments>;

export interface NewBlock {
  itemId: number;
  startLocal: string;
  endLocal: string;
  note: string;
  autoStart: boolean;
  autoStop: boolean;
  remindStart: boolean;
  remindMinutes?: number;
  remindEnd: boolean;
}

export interface BlockMove {
  action: 'move';
  blockId: number;
  revision: number;
  startLocal: string;
  endLocal: string;
}

/** `timezone` is for all blocks. */
export interface NewBlocks {
  action: 'create';
  timezone?: string | undefined;
  blocks: NewBlock[];
}

export type BlockAction = NewBlocks | BlockMove | { action: 'start' | 'cancel'; blockId: number; revision?: number | undefined };

export function asBlockAction(input: BlockArguments): BlockAction {
  const { action, timezone, blocks, ...one } = input;
  return (action === 'create' ? { action, timezone, blocks: blocks ?? [one] } : input) as unknown as BlockAction;
}
