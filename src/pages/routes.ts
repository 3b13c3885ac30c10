/** All pages. To add one, add a file and a row. */

import { auditRoutes } from './account/audit.ts';
import { emailLinkRoutes } from './account/emailLink.ts';
import { eraseAccountRoutes } from './account/eraseAccount.ts';
import { firstStepsRoutes } from './account/firstSteps.ts';
import { forgottenRoutes } from './account/forgotten.ts';
import { keyRoutes } from './account/keys.ts';
import { notificationRoutes } from './account/notifications.ts';
import { passwordRoutes } from './account/passwords.ts';
import { peopleRoutes } from './account/people.ts';
import { profileRoutes } from './account/profile.ts';
import { sessionRoutes } from './account/sessions.ts';
import { signInRoutes } from './account/signIn.ts';
import { themeRoutes } from './account/theme.ts';
import { welcomeRoutes } from './account/welcome.ts';
import { activityRoutes } from './agents/activity.ts';
import { connectedRoutes } from './agents/connected.ts';
import { mcpAccessRoutes } from './agents/mcpAccess.ts';
import { capacityRoutes } from './capacity/capacity.ts';
import type { PageRoute } from './frame/page.ts';
import { archivedRoutes } from './items/archived.ts';
import { besideRoutes } from './items/beside.ts';
import { bulkRoutes } from './items/change/many.ts';
import { changeRoutes } from './items/change/one.ts';
import { undoRoutes } from './items/change/undo.ts';
import { itemEditRoutes } from './items/edit.ts';
import { itemRoutes } from './items/item.ts';
import { itemNewRoutes } from './items/new.ts';
import { placeRoutes } from './items/place.ts';
import { itemTextRoutes } from './items/texts.ts';
import { frameRoutes } from './live/frame.ts';
import { myRoutes } from './my/actions.ts';
import { calendarRoutes } from './my/calendar.ts';
import { dayRoutes } from './my/dayActions.ts';
import { inboxRoutes } from './my/inbox.ts';
import { lineRoutes } from './my/lineRoutes.ts';
import { monthRoutes } from './my/month.ts';
import { timesheetRoutes } from './my/timesheet.ts';
import { notesRoutes } from './notes/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import { reportRoutes } from './reports/time.ts';
import { searchRoutes } from './search/search.ts';
import { styleguideRoutes } from './styleguide/styleguide.ts';
import { workspaceListRoutes } from './workspace/list.ts';
import { listCsvRoutes } from './workspace/listCsv.ts';
import { viewRoutes } from './workspace/listViews.ts';
import { quickAddRoutes } from './workspace/quickAdd.ts';
import { workspaceSettingsRoutes } from './workspace/settings.ts';
import { webhooksRoutes } from './workspace/webhooks.ts';
import { workspaceRoutes } from './workspace/work.ts';

export const pageRoutes: PageRoute[] = [
  ...referenceRoutes,
  ...signInRoutes,
  ...welcomeRoutes,
  ...passwordRoutes,
  ...firstStepsRoutes,
  ...forgottenRoutes,
  ...emailLinkRoutes,
  ...profileRoutes,
  ...sessionRoutes,
  ...themeRoutes,
  ...notificationRoutes,
  ...dayRoutes,
  ...lineRoutes,
  ...timesheetRoutes,
  ...monthRoutes,
  ...inboxRoutes,
  ...frameRoutes,
  ...peopleRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...eraseAccountRoutes,
  ...activityRoutes,
  ...connectedRoutes,
  ...mcpAccessRoutes,
  ...myRoutes,
  ...calendarRoutes,
  ...notesRoutes,
  ...capacityRoutes,
  ...workspaceListRoutes,
  ...searchRoutes,
  ...reportRoutes,
  ...workspaceRoutes,
  ...listCsvRoutes,
  ...viewRoutes,
  ...quickAddRoutes,
  ...workspaceSettingsRoutes,
  ...webhooksRoutes,
  ...itemNewRoutes,
  ...itemEditRoutes,
  ...archivedRoutes,
  ...changeRoutes,
  ...bulkRoutes,
  ...undoRoutes,
  ...itemTextRoutes,
  ...besideRoutes,
  ...itemRoutes,
  ...styleguideRoutes,
  ...placeRoutes,
];
