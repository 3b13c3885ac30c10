/** Names and addresses that the pages of imports share. */
import type { ImportLine } from '../../import/runs/imports.ts';
import type { Format } from '../../import/sources/source.ts';
import type { PageRequest } from '../frame/page.ts';
import { quantity } from '../frame/widgets.ts';

export const importPath = ({ params }: PageRequest): string => `/workspaces/${params.id}/settings/import`;
export const onePath = (request: PageRequest): string => `${importPath(request)}/${request.params.importId}`;
export const idsOf = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), importId: Number(params.importId) });
export const sendsMail = ({ deps }: PageRequest): boolean => deps.config.mail.smtpUrl !== undefined;

export const formatNames: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  jira: 'Jira (CSV)',
  linear: 'Linear (CSV)',
  asana: 'Asana (CSV)',
  trello: 'Trello (JSON)',
  github: 'GitHub issues (JSON)',
  stint: 'Stint',
};

export const stateNames: Readonly<Record<ImportLine['state'], string>> = {
  reading: 'Reading the file',
  ready: 'Ready to start',
  unreadable: 'Not readable',
  running: 'Running',
  stopped: 'Stopped',
  done: 'Done',
  undoing: 'Undoing',
  undone: 'Undone',
};

/** "about 3 minutes left" */
export function timeLeft(seconds: number | null): string | null {
  if (seconds === null) return null;
  return seconds < 60 ? 'less than a minute left' : `about ${quantity(Math.round(seconds / 60), 'minute')} left`;
}
