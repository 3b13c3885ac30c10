/** axe's findings on the current page: its rules for WCAG 2.2 AA, or only those about colours. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as the version with comments, which would be sent and parsed for each document. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** axe's colour rules: no other rule depends on colours. */
const colours = ['color-contrast', 'link-in-text-block'];
const options: Record<'all' | 'colours', RunOptions> = {
  // Skips passed rules, which halves the time.
  all: {
    runOnly: { type: 'tag', values: standards },
    rules: { 'landmark-unique': { enabled: true } },
    resultTypes: ['violations'],
  },
  colours: { runOnly: { type: 'rule', values: colours }, resultTypes: ['violations'] },
};
/** The hundreds of time zones are all equal. */
const context = { exclude: [['select[name="timezone"] option']] };

/** The style guide shows each component in light and in dark mode. */
const showsAllTwice = (page: Page): Promise<boolean> => page.evaluate('document.querySelector(".sg-pair") !== null');

/** One line for each fault, with its elements. Loads axe once for each page. */
export async function axeFaults(page: Page, what: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options[what])})`)) as AxeResults;
  const twice = await showsAllTwice(page);
  return violations
    .filter(({ id }) => !(twice && id === 'landmark-unique'))
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 5)
        .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`),
    );
}
