import type { Db } from '../database/db.ts';
import { notifyOfAbsence } from './awayQueries.ts';

/** For a job. Does nothing if the absence was removed. */
export const tellAbsence = (db: Db, absenceId: number): Promise<void> => db.transaction((tx) => notifyOfAbsence(tx, absenceId));
