import { failedFiles, flakyFiles } from './failedFiles.ts';
import { suite } from './suite.ts';

const test = suite(import.meta.url);

test('failures, crashes and pending tests name their files, passed ones do not', (t) => {
  const output = [
    '  ✔ dates.unit › a day that exists',
    '  \u001b[31m✘\u001b[39m [fail]: access › races.db › keys do not share a count',
    '  ✘ test/web.db.test.ts exited with a non-zero exit code: 1',
    '  ◌ rest › fuzz.db › a › b',
    '  ✘ 6 tests remaining in test/plans.db.test.ts',
    '  ✘ [fail]: nothing like a file › title',
  ].join('\n');
  t.deepEqual(failedFiles(output), [
    'test/access/races.db.test.ts',
    'test/web.db.test.ts',
    'test/rest/fuzz.db.test.ts',
    'test/plans.db.test.ts',
  ]);
});

test('a file that failed in the run and passed alone is flaky, one that failed again is not', (t) => {
  const files = ['test/web.db.test.ts', 'test/plans.db.test.ts'];
  t.deepEqual(flakyFiles(files, { code: 1, output: '  ✘ test/web.db.test.ts exited with a non-zero exit code: 1' }), [files[1]!]);
  t.deepEqual(flakyFiles([files[0]!], { code: 1, output: '  ✘ [fail]: a title without its file' }), []);
  t.deepEqual(flakyFiles(files, { code: 0, output: '' }), files);
  const pages = ['test/pages/my.db.test.ts', 'test/pages/firstRun.browser.test.ts'];
  t.deepEqual(flakyFiles(pages, { code: 1, output: '  ✘ [fail]: firstRun.browser › a title' }), [pages[0]!]);
});
