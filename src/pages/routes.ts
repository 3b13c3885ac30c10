/** All pages. To add one, add a file and a row. Only this module imports pages, so they can be loaded separately (app.ts). */

import { auditRoutes } from './account/audit.ts';
import { emailLinkRoutes } from './account/confirmed.ts';
import { firstRunRoutes } from './account/firstRun.ts';
import { forgottenRoutes } from './account/forgotten.ts';
import { keyRoutes } from './account/keys.ts';
import { eraseAccountRoutes } from './account/leaving.ts';
import { notificationRoutes } from './account/notifications.ts';
import { passwordRoutes } from './account/passwords.ts';
import { peopleRoutes } from './account/people.ts';
import { profileRoutes } from './account/profile.ts';
import { sessionRoutes } from './account/sessions.ts';
import { signInRoutes } from './account/signIn.ts';
import { welcomeRoutes } from './account/welcome.ts';
import { workingTimeRoutes } from './account/workingTimes.ts';
import { activityRoutes } from './agents/activity.ts';
import { connectedRoutes } from './agents/cards.ts';
import { mcpAccessRoutes } from './agents/mcpAccess.ts';
import { tryRoutes } from './agents/try.ts';
import { capacityRoutes } from './capacity/capacity.ts';
import { pagesHandler } from './frame/adapter.ts';
import { pageDeps, type SharedDeps } from './frame/deps.ts';
import { installedRoutes } from './frame/installed.ts';
import type { PageRoute } from './frame/page.ts';
import { starRoutes } from './frame/star.ts';
import { archivedRoutes } from './items/archived.ts';
import { dependentRoutes } from './items/change/dependents.ts';
import { bulkRoutes } from './items/change/many.ts';
import { changeRoutes } from './items/change/one.ts';
import { undoRoutes } from './items/change/undo.ts';
import { dependencyRoutes } from './items/changeDependencies.ts';
import { itemTextRoutes } from './items/changeLine.ts';
import { duplicateRoutes } from './items/duplicate.ts';
import { itemEditRoutes } from './items/edit.ts';
import { fileRoutes } from './items/files.ts';
import { besideRoutes } from './items/head.ts';
import { itemRoutes } from './items/item.ts';
import { itemLabelRoutes } from './items/labels.ts';
import { moveRoutes } from './items/move.ts';
import { itemNewRoutes } from './items/new.ts';
import { newFromTemplateRoutes } from './items/newFromTemplate.ts';
import { placeRoutes } from './items/pageOf.ts';
import { pickRoutes } from './items/pick.ts';
import { repeatRoutes } from './items/repeat.ts';
import { rowMenuRoutes } from './items/rowMenu.ts';
import { saveAsTemplateRoutes } from './items/saveAsTemplate.ts';
import { frameRoutes } from './live/serve.ts';
import { myRoutes } from './my/actions.ts';
import { calendarRoutes } from './my/calendar.ts';
import { dayRoutes } from './my/day.ts';
import { inboxRoutes } from './my/inbox.ts';
import { lineRoutes } from './my/lineActions.ts';
import { monthRoutes } from './my/month.ts';
import { timesheetRoutes } from './my/timesheet.ts';
import { notesRoutes } from './notes/note.ts';
import { referenceRoutes } from './reference/routes.ts';
import { reportRoutes } from './reports/time.ts';
import { searchRoutes } from './search/search.ts';
import { styleguideRoutes } from './styleguide/styleguide.ts';
import { boardLayoutRoutes } from './workspace/boardLayout.ts';
import { columnRoutes } from './workspace/columnChooser.ts';
import { filterRoutes } from './workspace/filterSheet.ts';
import { importRoutes } from './workspace/import.ts';
import { workspaceListRoutes } from './workspace/list.ts';
import { listCsvRoutes } from './workspace/listCsv.ts';
import { viewRoutes } from './workspace/listViews.ts';
import { quickAddRoutes } from './workspace/quickAdd.ts';
import { workspaceSettingsRoutes } from './workspace/settings.ts';
import { webhooksRoutes } from './workspace/webhooks.ts';
import { workspaceRoutes } from './workspace/work.ts';

export const pageRoutes: PageRoute[] = [
  ...installedRoutes,
  ...referenceRoutes,
  ...signInRoutes,
  ...welcomeRoutes,
  ...passwordRoutes,
  ...firstRunRoutes,
  ...forgottenRoutes,
  ...emailLinkRoutes,
  ...profileRoutes,
  ...sessionRoutes,
  ...starRoutes,
  ...notificationRoutes,
  ...dayRoutes,
  ...lineRoutes,
  ...timesheetRoutes,
  ...monthRoutes,
  ...inboxRoutes,
  ...frameRoutes,
  ...workingTimeRoutes,
  ...peopleRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...eraseAccountRoutes,
  ...activityRoutes,
  ...connectedRoutes,
  ...mcpAccessRoutes,
  ...tryRoutes,
  ...myRoutes,
  ...calendarRoutes,
  ...notesRoutes,
  ...capacityRoutes,
  ...workspaceListRoutes,
  ...searchRoutes,
  ...reportRoutes,
  ...workspaceRoutes,
  ...filterRoutes,
  ...listCsvRoutes,
  ...viewRoutes,
  ...quickAddRoutes,
  ...workspaceSettingsRoutes,
  ...webhooksRoutes,
  ...pickRoutes,
  ...newFromTemplateRoutes,
  ...importRoutes,
  ...itemNewRoutes,
  ...duplicateRoutes,
  ...moveRoutes,
  ...saveAsTemplateRoutes,
  ...repeatRoutes,
  ...itemEditRoutes,
  ...archivedRoutes,
  ...itemLabelRoutes,
  ...dependencyRoutes,
  ...fileRoutes,
  ...changeRoutes,
  ...rowMenuRoutes,
  ...boardLayoutRoutes,
  ...columnRoutes,
  ...bulkRoutes,
  ...dependentRoutes,
  ...undoRoutes,
  ...itemTextRoutes,
  ...besideRoutes,
  ...itemRoutes,
  ...styleguideRoutes,
  ...placeRoutes,
];

export const pagesFace = (deps: SharedDeps) => pagesHandler(pageRoutes, pageDeps(deps));
