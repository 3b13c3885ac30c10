/** What a change tells the administrators of its account, in the transaction of the change itself (behaviour §17). Operations declare it
 *  and `perform` writes it; commands of the operator, imports and jobs call `told` themselves. */
import { userInfo } from 'node:os';
import type { Tx } from '../database/db.ts';
import type { AuditKind } from './kinds.ts';
import type { By, Changes, Line, State, Subject } from './line.ts';
import { type About, holdSubject, insertAudit, readSubject } from './recordQueries.ts';

/** A line that a change may leave, one for each thing where it makes several. Without a difference between before and after there is none. */
export interface Telling<Input, Facts, Stored> {
  kind: AuditKind;
  /** Left out: always. */
  when?(permit: Facts, input: Input): boolean;
  /** What it is about; of something that the change makes, `made` says so after it: null when it made nothing. */
  about?(permit: Facts, input: Input): Subject;
  made?(permit: Facts, input: Input, stored: Stored): Subject | readonly Subject[] | null;
  /** The line itself, of what leaves nothing behind to be read. */
  line?(permit: Facts, input: Input): Line;
  /** It is told although nothing differs that may be shown, as of a rotated key. */
  event?: true;
}

/** The operator at the command line, by the name they have on that machine. */
export function operator(via: 'cli' | 'import' = 'cli'): By {
  try {
    return { operator: userInfo().username, via };
  } catch {
    // Containers run as users without a name.
    return { operator: `user ${process.getuid?.() ?? 'unknown'}`, via };
  }
}

/** Does `work` and leaves its lines. */
export async function told<Input, Facts, Stored>(
  tx: Tx,
  by: By,
  tellings: readonly Telling<Input, Facts, Stored>[],
  [permit, input]: [Facts, Input],
  work: () => Promise<Stored>,
): Promise<Stored> {
  const due = tellings.filter(({ when }) => when?.(permit, input) ?? true);
  const before = new Map<object, About | null>();
  for (const telling of due) {
    if (!telling.about || telling.event) continue;
    const subject = telling.about(permit, input);
    await holdSubject(tx, subject);
    before.set(telling, await readSubject(tx, subject));
  }
  const stored = await work();
  for (const telling of due) {
    if (telling.line) await insertAudit(tx, by, telling.line(permit, input));
    const subjects = telling.about?.(permit, input) ?? telling.made?.(permit, input, stored) ?? [];
    for (const subject of [subjects].flat() as Subject[]) await tell(tx, by, telling, subject, before.get(telling) ?? null);
  }
  return stored;
}

async function tell(tx: Tx, by: By, telling: Pick<Telling<never, never, never>, 'kind' | 'event'>, subject: Subject, before: About | null) {
  const after = await readSubject(tx, subject);
  const about = after ?? before;
  if (!about) return;
  const changes = telling.event ? {} : differences(before?.state ?? {}, after?.state ?? {});
  if (!telling.event && Object.keys(changes).length === 0) return;
  await insertAudit(tx, by, { kind: telling.kind, ...about, subject, changes });
}

/** For what happens outside of operations: something of that kind happened to `subject`. */
export const tellEvent = (tx: Tx, by: By, kind: AuditKind, subject: Subject): Promise<void> =>
  tell(tx, by, { kind, event: true }, subject, null);

/** For the operator's commands: what `work` does to `subject`, which is there before it or, as a function of the result, after it. */
export const toldOf = <Stored>(
  tx: Tx,
  by: By,
  kind: AuditKind,
  subject: Subject | ((stored: Stored) => Subject),
  work: () => Promise<Stored>,
  event?: true,
): Promise<Stored> =>
  told<null, null, Stored>(
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
