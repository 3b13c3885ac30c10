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

export class InvalidRequest extends AppError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('invalid_request', message, details);
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
