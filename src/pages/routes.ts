/** All pages as a table. Adding a page is adding a file and a row. */
import { activityRoutes } from './activity.ts';
import { capacityRoutes } from './capacity.ts';
import { homeRoutes } from './home.ts';
import { itemRoutes } from './item.ts';
import { itemEditRoutes } from './itemEdit.ts';
import { itemNewRoutes } from './itemNew.ts';
import { keyRoutes } from './keys.ts';
import { mcpAccessRoutes } from './mcpAccess.ts';
import { myRoutes } from './my.ts';
import { notesRoutes } from './notes.ts';
import type { PageRoute } from './page.ts';
import { peopleRoutes } from './people.ts';
import { signInRoutes } from './signIn.ts';
import { welcomeRoutes } from './welcome.ts';
import { workspaceRoutes } from './workspace.ts';
import { workspaceSettingsRoutes } from './workspaceSettings.ts';

export const pageRoutes: PageRoute[] = [
  ...signInRoutes,
  ...welcomeRoutes,
  ...homeRoutes,
  ...peopleRoutes,
  ...keyRoutes,
  ...activityRoutes,
  ...mcpAccessRoutes,
  ...myRoutes,
  ...notesRoutes,
  ...capacityRoutes,
  ...workspaceRoutes,
  ...workspaceSettingsRoutes,
  ...itemNewRoutes,
  ...itemEditRoutes,
  ...itemRoutes,
];
