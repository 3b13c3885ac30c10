import type { ActivityRow } from '../../connections/listActivity.ts';
import { clockOf } from '../frame/clock.ts';
import { actor, outcome } from '../frame/components/agent.ts';
import { table } from '../frame/components/table.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { didWords, outcomeOf, succeeded } from './words.ts';

const columns = ['Agent', 'Tool', 'Action', 'When', 'Result'].map((label) => ({ label }));

export function activityTable(request: PageRequest, rows: readonly ActivityRow[]): Content {
  const clock = clockOf(request);
  return table(
    { caption: 'Agent activity', columns, class: 'act' },
    rows.map((row) => [
      actor({ id: row.id, name: row.connection, kind: 'agent' }),
      html`<code title="${row.elapsedMs} ms">${row.tool}</code>`,
      didWords(row, request.basePath),
      moment(row.at, clock),
      outcome(succeeded(row.outcome), outcomeOf(row.outcome)),
    ]),
  );
}
