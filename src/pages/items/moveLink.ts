/** True if the user has another workspace to move items to. Then menus and commands offer the move. */
import type { SignedIn } from '../../overviews/signedIn.ts';

export const hasOtherWorkspace = ({ frame }: Pick<SignedIn, 'frame'>): boolean => (frame?.workspaces.length ?? 0) > 1;
