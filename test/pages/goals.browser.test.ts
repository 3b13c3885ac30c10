/** The tree of goals in a browser: the indent of its levels (behaviour §27.1). */
import { expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const LEVELS = 9;
const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('goals, each part of the one before', async () => {
  work = await workWorld(database.url, {
    items: Array.from({ length: LEVELS }, (_, at) => ({
      ref: `goal-${at + 1}`,
      type: 'goal' as const,
      title: `Goal of level ${at + 1}`,
      fields: at > 0 ? { parentId: { ref: `goal-${at}` } } : {},
    })),
  });
});
test.after('stop', () => work?.stop());

test('each level is indented by 20 px, at most six levels; deeper goals show the goals above them', async (t) => {
  const page = await browser.page(t);
  await openAs(page, work.web.baseUrl, emailOf('ana'), `${work.at}?type=goal`);
  const titles = Array.from({ length: LEVELS }, (_, at) =>
    page.locator(`[data-item="${work.refs.id(`goal-${at + 1}`)}"] .t a:not(.up)`).first(),
  );
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const starts: number[] = [];
    for (const title of titles) starts.push(Math.round((await title.boundingBox())!.x));
    t.deepEqual(
      starts.slice(1).map((x, at) => x - starts[at]!),
      [20, 20, 20, 20, 20, 0, 0, 0],
      `${width} px`,
    );
  }
  t.deepEqual(await page.locator('.goal-path').allInnerTexts(), [
    'Goal of level 6',
    'Goal of level 6 / Goal of level 7',
    'Goal of level 6 / Goal of level 7 / Goal of level 8',
  ]);
  await expectFitsPhone(t, page);
});
