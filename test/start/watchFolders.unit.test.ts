import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFolders } from '../../src/start/watched.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a replaced file and a file in a new folder each cause an event', async (t) => {
  const folder = temporaryFolder();
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'deep'));
  let tell = (_file: string) => {};
  const end = watchFolders([folder], (file) => tell(file));
  t.teardown(end);
  const toldOf = (write: () => void) =>
    new Promise<string>((resolve) => {
      tell = resolve;
      write();
    });
  const page = join(folder, 'deep/page.ts');
  for (const text of ['one', 'two', 'three']) {
    const replaced = toldOf(() => {
      writeFileSync(`${page}.new`, text);
      renameSync(`${page}.new`, page);
    });
    t.is(await replaced, page);
  }
  t.is(await toldOf(() => mkdirSync(join(folder, 'later'))), join(folder, 'later'));
  t.is(await toldOf(() => writeFileSync(join(folder, 'later/new.ts'), 'new')), join(folder, 'later/new.ts'));
});
