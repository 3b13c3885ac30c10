/** Dependencies: exact versions, hashes, licences, and install scripts by name. Read from package.json, the lock file and README. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
  /** Only needed for development. */
  dev?: boolean;
  devOptional?: boolean;
}

const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
const { '': _ours, ...locked } = lock.packages as Record<string, Locked>;
const packages = Object.entries(locked).map(([path, entry]) => ({
  name: path.slice(path.lastIndexOf('node_modules/') + 13),
  path,
  ...entry,
}));
const deployed = packages.filter(({ dev, devOptional }) => !dev && !devOptional);

/** Licences that require only their own text. */
const permissive = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BSD-0-Clause', // htmx.org's name for 0BSD
  'Python-2.0', // argparse, under graphile-worker's cosmiconfig
  'PSF-2.0', // argparse again, under markdown-it
  '(ISC AND CC-BY-3.0)', // date-holidays: its data needs attribution, which the README gives
  'OFL-1.1', // the font, served as it is
  '(MIT OR CC0-1.0)',
  'BlueOak-1.0.0', // lru-cache
  'Unlicense', // fast-sha256, under standardwebhooks: no conditions
]);

test('every deployed package has a permissive licence', (t) => {
  t.true(deployed.length > 50);
  t.deepEqual(
    deployed.filter(({ license }) => !permissive.has(license ?? '')).map(({ path, license }) => `${path}: ${license}`),
    [],
  );
});

test('the lock file and the installed packages agree on the licences of our direct dependencies', (t) => {
  for (const name of Object.keys(manifest.dependencies)) {
    const installed = JSON.parse(read(`node_modules/${name}/package.json`));
    t.like(installed, { version: manifest.dependencies[name], license: locked[`node_modules/${name}`]!.license }, name);
  }
});

test("versions are exact, and equal to the lock file's", (t) => {
  for (const kind of ['dependencies', 'devDependencies'] as const) {
    t.deepEqual(lock.packages[''][kind], manifest[kind]);
    for (const [name, version] of Object.entries<string>(manifest[kind]))
      t.regex(version, /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  }
});

test('every locked package has a hash and no address', (t) => {
  t.deepEqual(
    packages.filter(({ integrity, resolved }) => !/^sha512-/.test(integrity ?? '') || resolved).map(({ path }) => path),
    [],
  );
  t.regex(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
});

test('packages with install scripts are allowed or refused by name, npm stops at any other, and every listed name exists', (t) => {
  const scripted = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  t.deepEqual(Object.keys(manifest.allowScripts).sort(), [...scripted].sort());
  t.deepEqual(
    deployed.filter(({ hasInstallScript }) => hasInstallScript).map(({ path }) => path),
    [],
    'nothing that is deployed has a script to run when it is installed: not every npm asks',
  );
  t.regex(read('.npmrc'), /^strict-allow-scripts=true$/m);
});

/** All our files that may name a package. */
function sources(folders: string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      // Deployments are built with the development packages.
      .filter((name) => /\.(ts|json|ya?ml)$/.test(name) && !name.startsWith('build/'))
      .map((name) => join(folder, name)),
  );
  return files.map(read).join('\n');
}

test('every dependency is imported, and every import is a dependency', (t) => {
  const service = sources(['src', 'workers']);
  t.deepEqual(
    Object.keys(manifest.dependencies).filter((name) => !new RegExp(`['"\`]${name}['"\`/]`).test(service)),
    [],
  );
  const imported = new Set(
    [...service.matchAll(/^(?:import|export|\}).* from '((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?';$/gm)].map((match) => match[1]!),
  );
  t.deepEqual(
    [...imported].filter((name) => !(name in manifest.dependencies)),
    [],
  );
});

test('README gives a reason for every dependency', (t) => {
  const text = read('README.md').split('## Dependencies and why')[1]!;
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) => !name.startsWith('@types/'));
  t.deepEqual(
    names.filter((name) => !new RegExp(`(^|[\\s|,:])${name.replaceAll('.', '\\.')}([\\s|,.]|$)`, 'im').test(text)),
    [],
  );
});
