/** Writes the audit in the transaction of the change (behaviour §17). Operations declare entries; other code calls `auditEvent`. */
import { userInfo } from 'node:os';
import type { Tx } from '../database/db.ts';
import type { AuditKind } from './kinds.ts';
import type { By, Changes, Line, State, Subject } from './line.ts';
import { type About, holdSubject, insertAudit, readSubject } from './recordQueries.ts';

/** An audit entry that a change may write. It is skipped if nothing differs between before and after. */
export interface AuditEntry<Input, Facts, Stored> {
  kind: AuditKind;
  when?(permit: Facts, input: Input): boolean;
  /** The subject that exists before the change. `made`: the subjects that the change creates, null if it created none. */
  about?(permit: Facts, input: Input): Subject | readonly Subject[];
  made?(permit: Facts, input: Input, stored: Stored): Subject | readonly Subject[] | null;
  /** The whole line, for a change without a stored subject. */
  line?(permit: Facts, input: Input): Line;
  /** Write the entry even if no shown field differs, for example for a rotated key. */
  event?: true;
}

export function operator(via: 'cli' | 'import' = 'cli'): By {
  try {
    return { operator: userInfo().username, via };
  } catch {
    // Containers run as users without a name.
    return { operator: `user ${process.getuid?.() ?? 'unknown'}`, via };
  }
}

export async function auditChange<Input, Facts, Stored>(
  tx: Tx,
  by: By,
  tellings: readonly AuditEntry<Input, Facts, Stored>[],
  [permit, input]: [Facts, Input],
  work: () => Promise<Stored>,
): Promise<Stored> {
  const due = tellings.filter(({ when }) => when?.(permit, input) ?? true);
  const before = new Map<Subject, About | null>();
  const known = new Map(due.map((telling) => [telling, [telling.about?.(permit, input) ?? []].flat()]));
  for (const [telling, subjects] of known) {
    for (const subject of telling.event ? [] : subjects) {
      await holdSubject(tx, subject);
      before.set(subject, await readSubject(tx, subject));
    }
  }
  const stored = await work();
  for (const [telling, subjects] of known) {
    if (telling.line) await insertAudit(tx, by, telling.line(permit, input));
    const made = [telling.made?.(permit, input, stored) ?? []].flat();
    for (const subject of [...subjects, ...made]) await writeEntry(tx, by, telling, subject, before.get(subject) ?? null);
  }
  return stored;
}

async function writeEntry(
  tx: Tx,
  by: By,
  telling: Pick<AuditEntry<never, never, never>, 'kind' | 'event'>,
  subject: Subject,
  before: About | null,
) {
  const after = await readSubject(tx, subject);
  const about = after ?? before;
  if (!about) return;
  const changes = telling.event ? {} : differences(before?.state ?? {}, after?.state ?? {});
  if (!telling.event && Object.keys(changes).length === 0) return;
  await insertAudit(tx, by, { kind: telling.kind, ...about, subject, changes });
}

export const auditEvent = (tx: Tx, by: By, kind: AuditKind, subject: Subject): Promise<void> =>
  writeEntry(tx, by, { kind, event: true }, subject, null);

/** For the operator's commands and for jobs: audits how `work` changes `subject`. `subject` is a function if `work` creates it. */
export const auditCommand = <Stored>(
  tx: Tx,
  by: By,
  kind: AuditKind,
  subject: Subject | ((stored: Stored) => Subject),
  work: () => Promise<Stored>,
  event?: true,
): Promise<Stored> =>
  auditChange<null, null, Stored>(
    tx,
    by,
    [
      {
        kind,
        ...(typeof subject === 'function' ? { made: (_permit, _input, stored) => subject(stored) } : { about: () => subject }),
        ...(event && { event }),
      },
    ],
    [null, null],
    work,
  );

export function differences(before: State, after: State): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .map((name): [string, [unknown, unknown]] => [name, [before[name] ?? null, after[name] ?? null]])
      .filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is)),
  );
}
