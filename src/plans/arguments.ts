/** The arguments of svc_plan_block: a flat object whose `action` decides which properties are allowed (behaviour §10.2). */
import { z } from 'zod';
import { argumentsByAction } from '../operations/input.ts';
import { EntryNote, Revision } from '../time/arguments.ts';
import { LocalDateTime, Zone } from '../values/dates.ts';
import { Id } from '../values/text.ts';

export const blockActions = ['create', 'move', 'start', 'cancel'] as const;

const flag = z.boolean({ error: 'give true or false' }).optional();

const byAction = argumentsByAction({
  create: {
    required: ['itemId', 'startLocal', 'endLocal'],
    optional: ['timezone', 'note', 'autoStart', 'autoStop', 'remindStart', 'remindEnd'],
  },
  move: { required: ['blockId', 'revision', 'startLocal', 'endLocal'], optional: [] },
  start: { required: ['blockId'], optional: ['revision'] },
  cancel: { required: ['blockId'], optional: ['revision'] },
});

const defaults = { note: '', autoStart: false, autoStop: false, remindStart: false, remindEnd: false };

export const BlockArguments = z
  .strictObject({
    action: z.enum(blockActions, `give one of ${blockActions.join(', ')}`),
    itemId: Id.optional(),
    startLocal: LocalDateTime.optional(),
    endLocal: LocalDateTime.optional(),
    timezone: Zone.optional(),
    note: EntryNote.optional(),
    autoStart: flag,
    autoStop: flag,
    remindStart: flag,
    remindEnd: flag,
    blockId: Id.optional(),
    revision: Revision.optional(),
  })
  .check(byAction)
  // An omitted option and an explicit default are the same request.
  .overwrite((given) => (given.action === 'create' ? { ...defaults, ...given } : given));
export type BlockArguments = z.infer<typeof BlockArguments>;

export interface NewBlock {
  action: 'create';
  itemId: number;
  startLocal: string;
  endLocal: string;
  timezone?: string | undefined;
  note: string;
  autoStart: boolean;
  autoStop: boolean;
  remindStart: boolean;
  remindEnd: boolean;
}

export interface BlockMove {
  action: 'move';
  blockId: number;
  revision: number;
  startLocal: string;
  endLocal: string;
}

export type BlockAction = NewBlock | BlockMove | { action: 'start' | 'cancel'; blockId: number; revision?: number | undefined };

export const asBlockAction = (input: BlockArguments): BlockAction => input as unknown as BlockAction;
