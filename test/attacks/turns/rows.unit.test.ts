/** Every operation, page, form, job and import format is tried with its largest request by `npm run attacks -- turns` (behaviour
 *  §13.15). */
import { tools } from '../../../src/mcp/tools.ts';
import { pageRoutes } from '../../../src/pages/routes.ts';
import { payloads } from '../../../src/queue/jobs.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { keysOf } from '../../../src/values/records.ts';
import { suite } from '../../support/suite.ts';
import { madeUpIds } from './place.ts';
import { inputOf, jobs, turns } from './rows.ts';

const test = suite(import.meta.url);

const rest = restRoutes({ secretKey: 'turns', listener: { on: () => () => {} } as never });

test('each operation of both APIs has a row, whose input its schema accepts', (t) => {
  for (const { operation, name } of [...rest.map(({ operation }) => ({ operation, name: operation.name })), ...tools]) {
    const { error } = operation.input.safeParse(inputOf(operation, madeUpIds, 0));
    t.is(error, undefined, `${name}: ${error?.message}`);
  }
});

test('each page, form and job has a row, and the ids that it needs are known by their names', (t) => {
  const titles = turns.map(({ title }) => title);
  for (const { method, path, development } of pageRoutes)
    if (!development)
      t.true(
        titles.some((title) => title.split('?')[0] === `${method === 'GET' ? 'page' : 'form'} ${path}`),
        path,
      );
  for (const { request, title } of turns) {
    const { path } = request(madeUpIds, 0, { restKey: 'k', agentKey: 'a' });
    t.notRegex(path, /\/:/, title);
  }
  for (const { name, payload } of jobs) t.notThrows(() => payloads[name].parse(payload(madeUpIds, 0)), name);
  t.deepEqual(
    jobs.map(({ name }) => name),
    keysOf(payloads),
  );
});
