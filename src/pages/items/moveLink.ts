/** True if the person has a workspace to move items to. Then menus offer the move. */
import type { PageRequest } from '../frame/page.ts';

export const hasOtherWorkspace = ({ user }: PageRequest): boolean => (user.frame?.workspaces.length ?? 0) > 1;
