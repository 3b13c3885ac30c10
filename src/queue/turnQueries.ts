/** Priorities of jobs for which accounts or people take turns. Lower ones run first. */
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** Of the day's first snapshots and trend points, which no one waits for. */
export const DAILY = 10;

/** SQL: the priority of a job of an account that waits for `before` others of the same account. Accounts take turns. */
export const inTurn = (before: Fragment): Fragment => sql.fragment`least(${DAILY - 1}, ${before})::integer`;
