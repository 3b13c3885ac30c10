/** Reads a file as an import does, up to the report. */

import type { z } from 'zod';
import { learn } from '../../../src/import/runs/readRows.ts';
import { SourceLinks } from '../../../src/import/sources/links.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { plan } from '../../../src/import/sources/plan.ts';
import type { Facts, PlannedItem } from '../../../src/import/sources/planned.ts';
import { readSource } from '../../../src/import/sources/readSource.ts';
import { Reporter } from '../../../src/import/sources/report.ts';
import type { Format, OpenSource, SourceIssue } from '../../../src/import/sources/source.ts';
import { survey } from '../../../src/import/sources/survey.ts';
import { startingPriorities, startingStatuses } from '../../../src/workspaces/startingWorkflow.ts';
import { people } from './model.ts';

export const factsOf = (): Facts => ({
  statuses: [...startingStatuses],
  priorities: [...startingPriorities],
  // The last one is not a member.
  members: people.slice(0, -1).map(({ name, mail }, n) => ({ id: n + 1, name, mail })),
  labels: new Map([['mobile', 'Mobile']]),
});

/** In pieces of `size` bytes, so that letters are cut. */
export function opened(content: string | Uint8Array, size = 1_000): OpenSource {
  const bytes = Buffer.from(content as string);
  return async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

export async function readAll(format: Format, open: OpenSource, given: z.input<typeof ImportMap> = {}, facts = factsOf()) {
  const map = ImportMap.parse(given);
  const surveyed = await survey(format, open, map);
  const reporter = new Reporter(surveyed, map, facts);
  const links = new SourceLinks();
  const issues: SourceIssue[] = [];
  const planned: PlannedItem[] = [];
  for await (const row of readSource(surveyed, open, map)) {
    if ('refused' in row) {
      reporter.refuse(row);
      continue;
    }
    const item = plan(row.issue, map, facts);
    reporter.add(row.issue, item);
    learn(facts, item);
    links.add(item);
    issues.push(row.issue);
    planned.push(item);
  }
  reporter.links(links);
  return { survey: surveyed, issues, planned, links, report: reporter.report() };
}
