/** Faults that a rule names by its field are named by their place in the file. */
import { InvalidRequest } from '../values/errors.ts';

/** Runs the rules of the entry at `path`. */
export function inside<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidRequest) || error.message.startsWith(path)) throw error;
    throw new InvalidRequest(`${path}${/^[\w.]+: /.test(error.message) ? '.' : ': '}${error.message}`);
  }
}
