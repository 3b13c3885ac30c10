/** The closed list of things that can go wrong, as answers. Adapters turn a code into a status or a tool error. */

export const codes = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'conflict',
  'rate_limited',
  'unavailable',
  'rewrite_unavailable',
] as const;
export type Code = (typeof codes)[number];

/** Facts that ride along with an error (behaviour §7.11): a version to reread, the failing index of a batch. */
export interface ErrorDetails {
  currentVersion?: number;
  currentRevision?: number;
  /** Position of the failing item in a batch, from 0. */
  index?: number;
  /** Of a batch: every item that has moved on. */
  conflicts?: { index: number; id: number; currentVersion: number }[];
  /** Whole seconds, >= 1. */
  retryAfter?: number;
}

/** Every refusal is one of these. `message` is one English sentence that says what to do next. */
export class AppError extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;
  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Where a value stands in what was sent, from the outside in: names of fields, and positions in lists from 0. */
export type Path = readonly (string | number)[];

/** A value that is not among those allowed. `members`: the people who may be given work in the workspace, for a caller that can list them. */
export interface NotAllowed {
  problem: string;
  allowed: readonly string[] | 'members';
}

export interface Fault {
  /** Empty for all of it: then `whatToDo` is a sentence of its own. */
  path: Path;
  /** The rest of the sentence that the path begins; as a function where it names another field beside it. */
  whatToDo: string | NotAllowed | ((nameOf: (path: Path) => string) => string);
}

/** A caller may have made up a name itself. */
const MAX_NAME = 200;

/** A path as APIs write it: `items[3].fields.dueDate`. */
export const dotted = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${step.slice(0, MAX_NAME)}`)).join('');

const MAX_LISTED = 12;

const oneOf = (allowed: NotAllowed['allowed']): string =>
  allowed !== 'members' && allowed.length > 0 && allowed.length <= MAX_LISTED
    ? `give ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}.`
    : 'read the options.';

/** A fault as one sentence; a face that has words of its own for fields passes `nameOf`. */
export function sentenceOf({ path, whatToDo }: Fault, nameOf: (path: Path) => string = dotted): string {
  const rest =
    typeof whatToDo === 'string'
      ? whatToDo
      : typeof whatToDo === 'function'
        ? whatToDo(nameOf)
        : `${whatToDo.problem}; ${oneOf(whatToDo.allowed)}`;
  return path.length ? `${nameOf(path)}: ${rest}` : rest;
}

/** What was sent is at fault. `message` and `details.index` are of the first fault: APIs name that alone, forms show them all. */
export class InvalidRequest extends AppError {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(path: Path, whatToDo: Fault['whatToDo'], ...more: readonly Fault[]) {
    const first = { path, whatToDo };
    const index = path.find((step) => typeof step === 'number');
    super('invalid_request', sentenceOf(first), index === undefined ? {} : { index });
    this.faults = [first, ...more];
  }

  /** The same faults of a value that stands at `outer` in a greater one. */
  inside(outer: Path): InvalidRequest {
    const [first, ...more] = this.faults;
    const within = (path: Path) => [...outer, ...path];
    return new InvalidRequest(within(first.path), first.whatToDo, ...more.map((fault) => ({ ...fault, path: within(fault.path) })));
  }
}

/** Gathers what rules find at fault, so that a form shows all of it at once. */
export class Faults {
  readonly #found: Fault[] = [];

  add(path: Path, whatToDo: Fault['whatToDo']): void {
    this.#found.push({ path, whatToDo });
  }

  /** Throws what has been found so far, if anything. */
  check(): void {
    const [first, ...more] = this.#found;
    if (first) throw new InvalidRequest(first.path, first.whatToDo, ...more);
  }
}

/** Runs the rules of a value that stands at `outer`: what they find at fault is named from there. */
export function inside<T>(outer: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidRequest ? error.inside(outer) : error;
  }
}

/** Runs what is about one item of a batch: whatever goes wrong carries its index, and a fault its place in `items`. */
export function atIndex<T>(index: number, work: () => T): T {
  try {
    return inside(['items', index], work);
  } catch (error) {
    // It stays one: pages have words of their own for it.
    if (error instanceof Forbidden) throw new Forbidden({ ...error.details, index });
    if (error instanceof AppError && !(error instanceof InvalidRequest))
      throw new AppError(error.code, error.message, { ...error.details, index });
    throw error;
  }
}

/** The same sentence for absent, archived, foreign and hidden: nothing hidden can be guessed at (behaviour §3.12). */
export class Forbidden extends AppError {
  constructor(details: ErrorDetails = {}) {
    const message = 'You have no access to this, or it does not exist: check the id, the grants of the key and the rights of its user.';
    super('forbidden', message, details);
  }
}

export class Unauthenticated extends AppError {
  constructor(message: string) {
    super('unauthenticated', message);
  }
}

/** A credential was presented in good form, and opens nothing. */
export class CredentialRefused extends Unauthenticated {
  constructor() {
    super('This key or session is missing, unknown, expired or revoked: ask the owner of the account for a current one.');
  }
}

/** Something has moved on since it was read: read it again and reconcile. */
export class Conflict extends AppError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('conflict', message, details);
  }
}

export class VersionConflict extends Conflict {
  constructor(id: number, current: number) {
    super(`Item ${id} is at version ${current}: read it again and reapply your change.`, { currentVersion: current });
  }
}

/** Of a batch: nothing was changed, and all that have moved on are told at once. */
export class VersionConflicts extends Conflict {
  constructor(conflicts: { index: number; id: number; currentVersion: number }[]) {
    const named = conflicts.slice(0, 10).map(({ id, currentVersion }) => `${id} is at version ${currentVersion}`);
    super(`Nothing was changed. Item ${named.join(', ')}${conflicts.length > 10 ? ' …' : ''}: read again and reapply your changes.`, {
      conflicts,
    });
  }
}

/** Try again later; `retryAfter` in whole seconds. Nothing was changed, or the outcome is to be looked up. */
export class Unavailable extends AppError {
  constructor(message = 'The service is temporarily unavailable: wait and try again.', retryAfter = 2) {
    super('unavailable', message, { retryAfter });
  }
}

/** The note could not be put into plain language; nothing was saved (behaviour §8.8). */
export class RewriteUnavailable extends AppError {
  constructor() {
    super('rewrite_unavailable', 'The note could not be rewritten in plain language, and nothing was saved: try again later.');
  }
}

export class RateLimited extends AppError {
  constructor(retryAfter: number) {
    super('rate_limited', `Too many requests: wait ${retryAfter} s and try again.`, { retryAfter });
  }
}
