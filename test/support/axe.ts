/** What axe finds on a page as it stands: its rules for WCAG 2.2 AA, or the one on contrast, which alone is another in other colours. */
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const options: Record<'all' | 'contrast', RunOptions> = {
  // What holds is not gathered: half of the time.
  all: { runOnly: { type: 'tag', values: standards }, resultTypes: ['violations'] },
  contrast: { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] },
};
/** The hundreds of time zones say nothing new. */
const context = { exclude: [['select[name="timezone"] option']] };

/** One line for each fault, with the elements that have it. Axe is brought along once for a page, however often it is asked. */
export async function axeFaults(page: Page, what: 'all' | 'contrast' = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options[what])})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`),
  );
}
