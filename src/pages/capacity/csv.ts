/** /capacity/people.csv and /capacity/projects.csv (behaviour §32.3). They contain all pages. */
import { worstFirst } from '../../capacity/forecast/outline.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { csvLine } from '../../values/csv.ts';
import { AppError } from '../../values/errors.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { readCapacity } from './read.ts';

type Lines = (capacity: Capacity, baseUrl: string) => Generator<string>;

function* peopleLines({ people }: Capacity): Generator<string> {
  const hours = ['Available hours', 'Task hours', 'Recorded hours', 'Planned hours', 'Overload hours', 'Load (%)'];
  yield csvLine(['Person', 'Weekly hours', 'Confirmed', 'Week from', ...hours]);
  for (const { name, weeklyHours, confirmed, weeks } of people)
    for (const { week, availableHours, allocatedHours, recordedHours, plannedHours, overHours, loadPercent } of weeks) {
      const told = [availableHours, allocatedHours, recordedHours, plannedHours, overHours, loadPercent];
      yield csvLine([name, weeklyHours, confirmed ? 'yes' : 'no', week, ...told]);
    }
}

/** Worst first, as on the page. */
function* projectLines({ projects, today }: Capacity, baseUrl: string): Generator<string> {
  const days = ['Target date', 'Forecast', 'Forecast if work takes 25 % longer'];
  const hours = ['Scope (h)', 'Left (h)', 'Left if work takes 25 % longer (h)', 'Done (%)'];
  yield csvLine(['Number', 'Project', 'Outlook', ...days, ...hours, 'Data incomplete', 'As of', 'Link']);
  for (const project of worstFirst(projects)) {
    const { id, title, outlook, targetDate, forecastDate, bufferedDate, dataIncomplete } = project;
    const sums = [project.scopeHours, project.remainingHours, project.bufferedHours, project.weightedProgress];
    const address = `${baseUrl}/items/${id}`;
    yield csvLine([id, title, outlook, targetDate, forecastDate, bufferedDate, ...sums, dataIncomplete ? 'yes' : 'no', today, address]);
  }
}

const download = (what: string, lines: Lines) => async (request: PageRequest) => {
  const capacity = await readCapacity(request);
  if (!capacity)
    throw new AppError('invalid_request', 'This forecast is too large for a file. Choose a single workspace, or use the REST API.');
  const answer: Answer = {
    lines: (async function* () {
      yield* lines(capacity, request.deps.config.baseUrl);
    })(),
    type: 'text/csv; charset=utf-8',
    name: `capacity-${what}-${capacity.from}.csv`,
  };
  return answer;
};

export const capacityCsvRoutes: PageRoute[] = [
  { method: 'GET', path: '/capacity/people.csv', bare: true, handle: download('people', peopleLines) },
  { method: 'GET', path: '/capacity/projects.csv', bare: true, handle: download('projects', projectLines) },
];
