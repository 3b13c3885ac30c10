/** All errors that a caller can get. Adapters map a code to an HTTP status or a tool error. */

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

/** Further facts of an error (behaviour §7.11), such as the current version or the index in a batch. */
export interface ErrorDetails {
  currentVersion?: number;
  currentRevision?: number;
  index?: number;
  /** The place in `below` of the item at `index`. */
  below?: number;
  conflicts?: { index: number; id: number; currentVersion: number }[];
  /** The caller's level, if it is above none but too low for this change. */
  level?: { resource: string; level: string };
  /** Whole seconds, >= 1. */
  retryAfter?: number;
}

/** `message` is one English sentence that says what to do next. */
export class AppError extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;
  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Path of a value in the input, outermost first: field names, and list indexes from 0. */
export type Path = readonly (string | number)[];

/** A value that is not allowed. `members`: the workspace's assignable users, for callers that can list them. */
export interface NotAllowed {
  problem: string;
  allowed: readonly string[] | 'members';
}

export interface Fault {
  /** Empty for the whole input; `whatToDo` is then a complete sentence. */
  path: Path;
  /** The rest of the sentence after the path. A function if it names another field. */
  whatToDo: string | NotAllowed | ((nameOf: (path: Path) => string) => string);
}

const MAX_NAME = 200;

/** A path in API notation: `items[3].fields.dueDate`. */
export const dotted = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${step.slice(0, MAX_NAME)}`)).join('');

const MAX_LISTED = 12;

const oneOf = (allowed: NotAllowed['allowed']): string =>
  allowed !== 'members' && allowed.length > 0 && allowed.length <= MAX_LISTED
    ? `give ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}.`
    : 'read the options.';

/** A fault as one sentence. `nameOf` replaces field names, for example by labels. */
export function sentenceOf({ path, whatToDo }: Fault, nameOf: (path: Path) => string = dotted): string {
  const rest =
    typeof whatToDo === 'string'
      ? whatToDo
      : typeof whatToDo === 'function'
        ? whatToDo(nameOf)
        : `${whatToDo.problem}; ${oneOf(whatToDo.allowed)}`;
  return path.length ? `${nameOf(path)}: ${rest}` : rest;
}

/** Invalid input. `message` and `details.index` describe the first fault, which APIs report. Forms show all faults. */
export class InvalidRequest extends AppError {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(path: Path, whatToDo: Fault['whatToDo'], ...more: readonly Fault[]) {
    const first = { path, whatToDo };
    const index = path.find((step) => typeof step === 'number');
    super('invalid_request', sentenceOf(first), index === undefined ? {} : { index });
    this.faults = [first, ...more];
  }

  /** The same faults with paths that start with `outer`. */
  inside(outer: Path): InvalidRequest {
    const [first, ...more] = this.faults;
    const within = (path: Path) => [...outer, ...path];
    return new InvalidRequest(within(first.path), first.whatToDo, ...more.map((fault) => ({ ...fault, path: within(fault.path) })));
  }
}

/** Collects faults, so that a form can show all of them. */
export class Faults {
  readonly #found: Fault[] = [];

  add(path: Path, whatToDo: Fault['whatToDo']): void {
    this.#found.push({ path, whatToDo });
  }

  check(): void {
    const [first, ...more] = this.#found;
    if (first) throw new InvalidRequest(first.path, first.whatToDo, ...more);
  }
}

/** Runs rules for the value at `outer`, and adds that path to their faults. */
export function withPath<T>(outer: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidRequest ? error.inside(outer) : error;
  }
}

/** Runs `work` for one item of a batch. Its errors get the index, and its faults the path in `items`. */
export const atIndex = <T>(index: number, work: () => T): T => atPath(['items', index], work);

export function atPath<T>(path: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw errorAt(path, error);
  }
}

/** The error of the part of a batch at `path`, such as items[3] or items[3].below[1]. */
export function errorAt(path: Path, error: unknown): unknown {
  if (error instanceof InvalidRequest) return error.inside(path);
  if (!(error instanceof AppError)) return error;
  const [index, below] = path.filter((step) => typeof step === 'number');
  const details = { ...error.details, ...(index !== undefined && { index }), ...(below !== undefined && { below }) };
  // Keeps the class, because pages have their own message for Forbidden.
  return error instanceof Forbidden ? new Forbidden(details) : new AppError(error.code, error.message, details);
}

/** The same message for absent, archived, foreign and hidden, so that nothing hidden can be guessed (behaviour §3.12). */
export class Forbidden extends AppError {
  constructor(details: ErrorDetails = {}) {
    const message = 'You have no access to this, or it does not exist. Check the id, the grants of the key and the rights of its user.';
    super('forbidden', message, details);
  }
}

export class Unauthenticated extends AppError {
  constructor(message: string) {
    super('unauthenticated', message);
  }
}

/** The credential is well-formed but invalid. */
export class CredentialRefused extends Unauthenticated {
  constructor() {
    super('This key or session is missing, unknown, expired or revoked. Ask an owner of the account for a new one.');
  }
}

/** The data has changed since it was read: read again and repeat the change. */
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

/** The retry of a call that added a comment which a person has deleted since (behaviour §7.14). */
export class AddedIsDeleted extends Conflict {
  constructor(what: 'note' | 'comment', id: number) {
    super(`This call added ${what} ${id}, which has been deleted since: do not send it again.`);
  }
}

/** A batch with changed items: nothing was written, and all conflicts are listed. */
export class VersionConflicts extends Conflict {
  constructor(conflicts: { index: number; id: number; currentVersion: number }[]) {
    const named = conflicts.slice(0, 10).map(({ id, currentVersion }) => `${id} is at version ${currentVersion}`);
    super(`Nothing was changed. Item ${named.join(', ')}${conflicts.length > 10 ? ' …' : ''}: read again and reapply your changes.`, {
      conflicts,
    });
  }
}

/** `retryAfter`: whole seconds. Nothing was changed, or the caller must look up the outcome. */
export class Unavailable extends AppError {
  constructor(message = 'The service is temporarily unavailable. Wait, then try again.', retryAfter = 2) {
    super('unavailable', message, { retryAfter });
  }
}

/** The rewriting of a comment failed; nothing was saved (behaviour §8.8). */
export class RewriteUnavailable extends AppError {
  constructor() {
    super('rewrite_unavailable', 'The note could not be rewritten in plain language, so nothing was saved. Try again later.');
  }
}

export class RateLimited extends AppError {
  constructor(retryAfter: number, message = `Too many requests. Wait ${retryAfter} s, then try again.`) {
    super('rate_limited', message, { retryAfter });
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Code of an error of Node or PostgreSQL. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
