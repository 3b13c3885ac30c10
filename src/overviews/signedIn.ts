/** The user of a session, with the frame around the page. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { readSession, type SignedIn } from './frameQueries.ts';

export {
  type FrameData,
  type FrameStar,
  type FrameTimer,
  type FrameWorkspace,
  MOST_BESIDE,
  MOST_COUNTED,
  type RecentItem,
  type SignedIn,
} from './frameQueries.ts';

/** `showing`: id of the page's workspace, 0 for none. Null: no page is shown, so no frame is read. */
const Showing = z.strictObject({ showing: z.number().nullable() });

export const getSignedIn: Read<z.infer<typeof Showing>, SignedIn | null> = {
  name: 'getSignedIn',
  input: Showing,
  run: async (tx, caller, { showing }) => (caller.kind === 'session' ? readSession(tx, caller.hash, showing) : null),
};
