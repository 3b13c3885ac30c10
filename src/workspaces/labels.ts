/** Lists, creates, changes and merges the labels of a workspace (behaviour §33.1–§33.3). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import {
  insertLabel,
  type ListedLabel,
  lockLabels,
  mergeLabel,
  readLabel,
  readLabelPermit,
  readLabels,
  updateLabel,
} from './labelQueries.ts';
import { DescribedLabel, type LabelList, SavedLabel, type WorkspaceLabel } from './labelSchema.ts';

export type { ListedLabel } from './labelQueries.ts';

const Input = z.strictObject({ workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }) });
type Input = z.infer<typeof Input>;

export const listLabels: Read<Input, z.infer<typeof LabelList>> = {
  name: 'listLabels',
  input: Input,
  run: async (tx, caller, { workspaceId }) => ({
    labels: (await readLabels(tx, caller, workspaceId)).map(({ description: _onPages, ...label }) => label),
  }),
};

/** Lists the labels with their descriptions, for pages. */
export const listDescribedLabels: Read<Input, ListedLabel[]> = {
  name: 'listDescribedLabels',
  input: Input,
  run: (tx, caller, { workspaceId }) => readLabels(tx, caller, workspaceId),
};

type LabelPermit = Permit & { manages: boolean };

async function authorize(tx: Tx, caller: Caller, { workspaceId, label }: DescribedLabel): Promise<LabelPermit> {
  const permit = await readLabelPermit(tx, caller, workspaceId);
  if (!permit.manages && (label.id !== undefined || label.archived)) throw new Forbidden();
  return permit;
}

async function save(tx: Tx, permit: LabelPermit, label: DescribedLabel['label']): Promise<number> {
  await lockLabels(tx, permit);
  if (label.id === undefined) return insertLabel(tx, permit, label);
  if (label.mergeInto === undefined) {
    await updateLabel(tx, permit, label.id, label);
    return label.id;
  }
  await mergeLabel(tx, permit, label.id, label.mergeInto);
  return label.mergeInto;
}

const saving = (name: string, input: z.ZodType<DescribedLabel>): Write<DescribedLabel, WorkspaceLabel, LabelPermit> => ({
  name,
  input,
  authorize,
  async run(tx, permit, { label }) {
    // The rights are read again after the lock, which may have waited for their change.
    const id = await save(tx, permit, label);
    const now = await authorize(tx, permit.caller, { workspaceId: permit.workspaceId, label });
    return readLabel(tx, now, id);
  },
});

export const saveLabel = saving('saveLabel', SavedLabel);
export const saveDescribedLabel = saving('saveDescribedLabel', DescribedLabel);
