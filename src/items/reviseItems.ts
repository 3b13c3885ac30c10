/** Changes several items, all or none, in one statement (behaviour §7.38, §23.1). Each is decided like a single change. */
import type { Permit } from '../access/caller.ts';
import type { Change } from '../operations/operation.ts';
import { atIndex, Forbidden, VersionConflicts } from '../values/errors.ts';
import { changedFields } from './changedFields.ts';
import { changesForecast, decideItem, idsIn } from './decide.ts';
import type { AgentFacts, ItemFacts } from './queries.ts';
import type { ItemChange } from './schema.ts';
import { inBatch, type Warning, warningsOf } from './warnings.ts';
import { type Beside, currentVersions, type Revision, updateItems } from './writeQueries.ts';

type Facts = Permit & ItemFacts & AgentFacts;

export interface Wanted {
  id: number;
  version: number;
  change: ItemChange;
  /** Undo: rules must not set further fields. */
  asItWas?: true;
}

/** Throws VersionConflicts with all changed items, or a rule's error with the index of its item. */
export function reviseItems(permit: Facts, wanted: readonly Wanted[], beside?: Beside): Change {
  requireVersions(wanted, ({ id }) => permit.several[id]!.version);
  const decided = wanted.map((one, index) => atIndex(index, () => decideOne(permit, one)));
  const statement = updateItems(permit, decided, {
    targets: idsIn(wanted.map(({ change }) => change)).targets,
    forecastChanges: decided.some(({ id, row }) => changesForecast(row, factsOf(permit, id))),
    beside,
    warnings: warningsOfBatch(permit, decided),
  });
  return {
    statement,
    async refused(tx): Promise<never> {
      const ids = wanted.map(({ id }) => id);
      const current = await currentVersions(tx, permit, ids);
      ids.forEach((id, index) => {
        if (!current.has(id)) throw new Forbidden({ index });
      });
      requireVersions(wanted, ({ id }) => current.get(id)!);
      throw new Forbidden();
    },
  };
}

const factsOf = (permit: Facts, id: number): Facts => ({ ...permit, stored: permit.several[id]! });

/** Fields that a status change sets by rule (behaviour §4.18). */
const setByRule = ['progressPercent', 'actualDate'] as const;

function decideOne(permit: Facts, { id, version, change, asItWas }: Wanted): Revision {
  const facts = factsOf(permit, id);
  const stored = facts.stored!;
  const decided = decideItem(stored.type, change, facts);
  const kept = setByRule.map((name) => [name, change.fields?.[name] === undefined ? stored.fields[name] : change.fields[name]]);
  const row = asItWas ? { ...decided, fields: { ...decided.fields, ...Object.fromEntries(kept) } } : decided;
  return { id, version, row, changed: changedFields(stored, row) };
}

function warningsOfBatch(permit: Facts, decided: readonly Revision[]): Warning[] {
  const others = new Map(decided.map(({ id, row }) => [id, row]));
  return inBatch(decided.map(({ id, row, changed }) => warningsOf(permit, { stored: permit.several[id]!, row, changed }, others)));
}

function requireVersions(wanted: readonly Wanted[], currentOf: (one: Wanted) => number): void {
  const conflicts = wanted.flatMap((one, index) => {
    const currentVersion = currentOf(one);
    return currentVersion === one.version ? [] : [{ index, id: one.id, currentVersion }];
  });
  if (conflicts.length) throw new VersionConflicts(conflicts);
}
