/** Parents and blockers of all issues of a file: those that exist and form no cycle (behaviour §36.16). */
import { MOST_BLOCKERS } from '../../items/relationSchema.ts';
import { InvalidRequest } from '../../values/errors.ts';
import type { PlannedItem } from './planned.ts';

export interface IssueLinks {
  parentKey: string | null;
  blockedBy: string[];
}

export interface LinkFault {
  key: string;
  what: 'Parent' | 'Blocked by';
  reason: string;
}

/** Of all names of blockers together, with a few for each name. A name with commas may be several. */
const MOST_CHARACTERS = 32_000_000;
const EACH = 40;

/** Titles with more commas are not found in lists. */
const MOST_PARTS = 20;

/** Links have at most 100 levels here (behaviour §4). */
const MOST_LEVELS = 90;

const partsIn = (name: string): number => (name.includes(',') ? name.split(',').length : 1);

export class SourceLinks {
  /** Keys by key, alias, and title if it is used once; null for a title that is used more often. */
  readonly #keys = new Map<string, string | null>();
  readonly #titles = new Map<string, string | null>();
  readonly #parents = new Map<string, string>();
  readonly #blockers = new Map<string, string[]>();
  readonly #blocks: [blocker: string, blocked: string][] = [];
  #characters = 0;
  /** The most parts that commas make of a title or key. */
  #mostParts = 1;
  #resolved: Map<string, IssueLinks> | undefined;
  readonly #faults: LinkFault[] = [];

  add({
    key,
    aliases,
    title,
    parentKey,
    blockedBy,
    blocks,
  }: Pick<PlannedItem, 'key' | 'aliases' | 'title' | 'parentKey' | 'blockedBy' | 'blocks'>): void {
    this.#keys.set(key, key);
    for (const alias of aliases) if (!this.#keys.has(alias)) this.#keys.set(alias, key);
    this.#titles.set(title, this.#titles.has(title) ? null : key);
    if (parentKey !== null) this.#parents.set(key, parentKey);
    for (const name of [key, ...aliases, title]) this.#mostParts = Math.min(MOST_PARTS, Math.max(this.#mostParts, partsIn(name)));
    for (const name of [...blockedBy, ...blocks]) this.#characters += name.length + EACH * partsIn(name);
    if (this.#characters > MOST_CHARACTERS)
      throw new InvalidRequest([], 'The file has more dependencies than can be read at once. Split it.');
    if (blockedBy.length) this.#blockers.set(key, blockedBy);
    for (const blocked of blocks) this.#blocks.push([key, blocked]);
  }

  /** Call it after the last `add`. */
  linksOf(key: string): IssueLinks {
    return this.#resolve().get(key) ?? { parentKey: null, blockedBy: [] };
  }

  /** Call it after the last `add`. */
  faults(): readonly LinkFault[] {
    this.#resolve();
    return this.#faults;
  }

  /** Call it after the last `add`. */
  counts(): { parents: number; dependencies: number } {
    const all = [...this.#resolve().values()];
    return {
      parents: all.filter(({ parentKey }) => parentKey !== null).length,
      dependencies: all.reduce((sum, { blockedBy }) => sum + blockedBy.length, 0),
    };
  }

  #resolve(): Map<string, IssueLinks> {
    if (this.#resolved) return this.#resolved;
    const parents = this.#resolveParents();
    const blockers = this.#resolveBlockers();
    const keys = new Set([...parents.keys(), ...blockers.keys()]);
    this.#resolved = new Map(
      [...keys].map((key) => [key, { parentKey: parents.get(key) ?? null, blockedBy: [...(blockers.get(key) ?? [])] }]),
    );
    return this.#resolved;
  }

  #fault(key: string, what: LinkFault['what'], reason: string): void {
    this.#faults.push({ key, what, reason });
  }

  #find(name: string): string | undefined {
    return this.#keys.get(name) ?? this.#titles.get(name) ?? undefined;
  }

  #resolveParents(): Map<string, string> {
    const parents = new Map<string, string>();
    for (const [key, name] of this.#parents) {
      const parent = this.#find(name);
      if (parent === undefined) this.#fault(key, 'Parent', `there is no issue ${name} in the file`);
      else parents.set(key, parent);
    }
    this.#removeCycles(parents);
    this.#cutDeep(parents);
    return parents;
  }

  #removeCycles(parents: Map<string, string>): void {
    const finished = new Set<string>();
    for (const start of [...parents.keys()]) {
      const path = new Set<string>();
      for (let key: string | undefined = start; key !== undefined && !finished.has(key); key = parents.get(key)) {
        path.add(key);
        if (!path.has(parents.get(key) ?? '')) continue;
        this.#fault(key, 'Parent', 'its parents form a cycle');
        parents.delete(key);
      }
      for (const key of path) finished.add(key);
    }
  }

  /** Removes the parent of items that are too deep, from the top down, so that a deep chain becomes several. */
  #cutDeep(parents: Map<string, string>): void {
    const levels = new Map<string, number>();
    for (const start of [...parents.keys()]) {
      const path: string[] = [];
      for (let key: string | undefined = start; key !== undefined && !levels.has(key); key = parents.get(key)) path.push(key);
      for (const key of path.toReversed()) {
        const above = parents.get(key);
        const level = above === undefined ? 0 : (levels.get(above) ?? 0) + 1;
        if (level > MOST_LEVELS) {
          this.#fault(key, 'Parent', `it was more than ${MOST_LEVELS} levels deep`);
          parents.delete(key);
        }
        levels.set(key, level > MOST_LEVELS ? 0 : level);
      }
    }
  }

  #resolveBlockers(): Map<string, Set<string>> {
    const blockers = new Map<string, Set<string>>();
    for (const [key, names] of this.#blockers)
      for (const name of names) for (const blocker of this.#namedIn(name, key)) this.#block(blockers, key, blocker);
    for (const [blocker, name] of this.#blocks) for (const key of this.#namedIn(name, blocker)) this.#block(blockers, key, blocker);
    removeCycles(blockers, (key) => this.#fault(key, 'Blocked by', 'it was part of a cycle'));
    return blockers;
  }

  #block(blockers: Map<string, Set<string>>, key: string, blocker: string): void {
    const known = blockers.get(key) ?? new Set();
    blockers.set(key, known);
    if (key === blocker) this.#fault(key, 'Blocked by', 'it blocks itself');
    else if (known.size < MOST_BLOCKERS) known.add(blocker);
    else if (!known.has(blocker)) this.#fault(key, 'Blocked by', `it has more than ${MOST_BLOCKERS} blockers`);
  }

  /** Asana joins titles with commas, which titles may also have: takes the longest ones that exist. */
  #namedIn(text: string, key: string): string[] {
    const whole = this.#find(text);
    if (whole !== undefined) return [whole];
    const parts = text.split(',');
    const found = new Set<string>();
    const missing = new Set<string>();
    for (let from = 0; from < parts.length; ) {
      const [to, named] = this.#longest(parts, from);
      if (named === undefined) missing.add(parts[from]?.trim() ?? '');
      else found.add(named);
      from = to;
    }
    for (const name of missing) this.#fault(key, 'Blocked by', `there is no issue ${name} in the file`);
    return [...found];
  }

  #longest(parts: readonly string[], from: number): [to: number, key: string | undefined] {
    for (let to = Math.min(parts.length, from + this.#mostParts); to > from; to--) {
      const key = this.#find(parts.slice(from, to).join(',').trim());
      if (key !== undefined) return [to, key];
    }
    return [from + 1, undefined];
  }
}

/** Follows blockers depth first, and removes each link to an issue that is being followed. */
function removeCycles(blockers: Map<string, Set<string>>, removed: (key: string) => void): void {
  const finished = new Set<string>();
  for (const start of blockers.keys()) {
    const path = new Set<string>([start]);
    const stack = finished.has(start) ? [] : [{ key: start, rest: [...(blockers.get(start) ?? [])] }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        finished.add(top.key);
        path.delete(top.key);
        stack.pop();
      } else if (path.has(next)) {
        blockers.get(top.key)?.delete(next);
        removed(top.key);
      } else if (!finished.has(next)) {
        path.add(next);
        stack.push({ key: next, rest: [...(blockers.get(next) ?? [])] });
      }
    }
  }
}
