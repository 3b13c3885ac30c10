/** POST /items/save, behaviour §5.2: creates without an id, updates with id and version. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { ChangeKind } from '../changes/schema.ts';
import type { Fragment, Tx } from '../database/db.ts';
import type { Change, StatementWrite } from '../operations/operation.ts';
import { Forbidden, InvalidRequest, VersionConflict } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { changedFields, changesNothing } from './changedFields.ts';
import { changesForecast, decideItem, idsIn } from './decide.ts';
import { type ItemFacts, readFacts } from './queries.ts';
import { type ItemChange, type Work, WorkInput } from './schema.ts';
import { asSeenBy } from './visibility.ts';
import { type WarningFacts, warningsOf } from './warnings.ts';
import { type Beside, currentVersion, insertItem, keepItem, updateItem } from './writeQueries.ts';

const Input = z.strictObject({ workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }), record: WorkInput });
type Input = z.infer<typeof Input>;

export const saveItem: StatementWrite<Input, ItemFacts, Work> = {
  name: 'saveItem',
  input: Input,
  faultsAt: ['record'],

  async authorize(tx: Tx, caller: Caller, { workspaceId, record }: Input) {
    const permit = await readFacts(tx, caller, {
      workspaceId,
      ...idsIn([record]),
      ...(record.id !== undefined && { id: record.id, change: record }),
    });
    if (record.id !== undefined && !permit.stored) throw new Forbidden();
    mayWrite(permit, permit.stored?.type ?? record.type);
    return permit;
  },

  decide(permit, { record }) {
    const { id, version, ...change } = record;
    if (id === undefined && version !== undefined)
      throw new InvalidRequest(['version'], 'leave it out to create an item, or give the id to update one.');
    if (id === undefined) return createItem(permit, record.type, change);
    if (version === undefined) throw new InvalidRequest(['version'], 'give the version that you read; read the item first.');
    return reviseItem(permit, version, record.type, change);
  },
};

/** Throws Forbidden unless the caller may write items of the type. */
export function mayWrite(permit: Permit, type: ItemType): void {
  if (!holds(permit.rights, bits(resourceOf(type), 'write'))) throw new Forbidden();
}

function createItem(permit: Permit & ItemFacts, type: ItemType, change: ItemChange): Change {
  const row = decideItem(type, change, permit);
  return {
    statement: insertItem(permit, row),
    refused: async () => {
      throw new Forbidden();
    },
  };
}

/** An approval's condition and its history entry (behaviour §4.14, §4.15). */
export interface Approval {
  kind: ChangeKind;
  condition: Fragment;
  record: Fragment;
}

/** Throws VersionConflict if the item has changed. Only with `approval` may the change give or take an approval. */
export function reviseItem(
  permit: Permit & ItemFacts & { warns?: WarningFacts | null },
  version: number,
  type: ItemType,
  change: ItemChange,
  approval?: Approval,
  beside?: Beside,
): Change | { unchanged: Work } {
  const stored = permit.stored!;
  if (type !== stored.type) throw new InvalidRequest(['type'], `can't change; item ${stored.id} is a ${stored.type}.`);
  if (version !== stored.version) throw new VersionConflict(stored.id, stored.version);
  const row = decideItem(stored.type, change, { ...permit, approves: approval !== undefined });
  const changed = changedFields(stored, row);
  const { id } = stored;
  if (changesNothing(changed) && !beside) return { unchanged: asSeenBy(permit, stored) };
  const warnings = warningsOf(permit, { stored, row, changed });
  const kept = changesNothing(changed) && beside ? keepItem(permit, { id, version, row }, beside) : null;
  return {
    statement: kept ?? updateItem(permit, { id, version, row, changed }, changesForecast(row, permit), approval, beside, warnings),
    async refused(tx) {
      const current = await currentVersion(tx, permit, id);
      if (current !== version) throw new VersionConflict(id, current);
      throw new Forbidden();
    },
  };
}
