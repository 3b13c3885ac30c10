/** What axe finds on a page as it stands: its rules for WCAG 2.2 AA, or those of them that look at colours. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long to send and to read as the one with comments, for each document anew. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** What axe measures on colours: no other rule answers otherwise when colours alone have changed. */
const colours = ['color-contrast', 'link-in-text-block'];
const options: Record<'all' | 'colours', RunOptions> = {
  // What holds is not gathered: half of the time.
  all: { runOnly: { type: 'tag', values: standards }, resultTypes: ['violations'] },
  colours: { runOnly: { type: 'rule', values: colours }, resultTypes: ['violations'] },
};
/** The hundreds of time zones say nothing new. */
const context = { exclude: [['select[name="timezone"] option']] };

/** One line for each fault, with the elements that have it. Axe is brought along once for a page, however often it is asked. */
export async function axeFaults(page: Page, what: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options[what])})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`),
  );
}
