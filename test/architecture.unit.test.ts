/** Architecture rules, checked on the imports: allowed directions, places for SQL, no cycles. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mallocEnv, memoryOf } from '../src/start/services.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));

interface Module {
  path: string;
  source: string;
  /** Relative imports, as paths from the root. */
  imports: string[];
  packages: string[];
}

function modules(): Module[] {
  const paths = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('static/js/'))
      .map((name) => join(folder, name)),
  );
  return paths.map((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
    return {
      path,
      source,
      imports: targets.filter((target) => target.startsWith('.')).map((target) => relative(root, join(root, dirname(path), target))),
      packages: targets.filter((target) => !target.startsWith('.')),
    };
  });
}

// In order: a folder imports only from itself and from earlier ones.
const rooms = [
  'values',
  'config',
  'log',
  'mailer',
  'database',
  'queue',
  'access',
  'audit',
  'operations',
  'accounts',
  'workspaces',
  'connections',
  'changes',
  'comments',
  'items',
  'templates',
  'files',
  'notifications',
  'webhooks',
  'time',
  'plans',
  'recurring',
  'moves',
  'capacity',
  'personal-notes',
  'erasure',
  'overviews',
  'live',
  'import',
  'sample',
  'workers/prune',
  'workers/tasks',
  'http',
  'faces',
  'app',
  'processes',
];
const faces = ['rest', 'mcp', 'pages'];

const nameOf = (path: string) => path.split('/')[1]!.replace(/\.ts$/, '');

function roomOf(path: string): string {
  if (path === 'workers/tasks.ts') return 'workers/tasks';
  if (/^workers\/(prune|\w+Queries)\.ts$/.test(path)) return 'workers/prune';
  if (path.startsWith('workers/')) return 'processes';
  if (faces.includes(nameOf(path))) return 'faces';
  return rooms.includes(nameOf(path)) ? nameOf(path) : 'processes';
}

const height = (path: string) => rooms.indexOf(roomOf(path));

const all = modules();

test('a folder imports only from itself and from folders before it', (t) => {
  const breaches = all.flatMap(({ path, imports }) =>
    imports.filter((target) => height(target) > height(path)).map((target) => `${path} -> ${target}`),
  );
  t.deepEqual(breaches, []);
});

test('rest, mcp and pages do not import each other', (t) => {
  const isFace = (path: string) => faces.includes(nameOf(path));
  const breaches = all.flatMap(({ path, imports }) =>
    imports.filter((target) => isFace(path) && isFace(target) && nameOf(path) !== nameOf(target)).map((target) => `${path} -> ${target}`),
  );
  t.deepEqual(breaches, []);
});

test('pages, mcp, rest and tasks reach the database only through operations and functions of its nouns', (t) => {
  const isDoor = (path: string) => faces.includes(nameOf(path)) || roomOf(path) === 'workers/tasks';
  const breaches = all
    .filter(({ path }) => isDoor(path))
    .flatMap(({ path, source, imports }) => [
      ...(source.match(/\.(?:pool|transaction)\(/g) ?? []).map((call) => `${path}: ${call}`),
      ...imports.filter((target) => /[qQ]ueries\.ts$/.test(target)).map((target) => `${path} -> ${target}`),
    ]);
  t.deepEqual(breaches, []);
});

test('the root of src has only the processes and the files that every folder may import', (t) => {
  const atRoot = all.map(({ path }) => path).filter((path) => /^src\/[^/]+\.ts$/.test(path));
  t.deepEqual(
    atRoot.sort(),
    ['app', 'cli', 'config', 'log', 'mailer', 'start', 'web'].map((name) => `src/${name}.ts`),
  );
});

test('the forecast engine imports only values', (t) => {
  const breaches = all
    .filter(({ path }) => path.startsWith('src/capacity/forecast/'))
    .flatMap(({ path, imports, packages }) =>
      [
        ...imports.filter((target) => !/^src\/(capacity\/forecast|values)\//.test(target)),
        ...packages.filter((name) => name !== 'zod'),
      ].map((target) => `${path} -> ${target}`),
    );
  t.deepEqual(breaches, []);
});

test('SQL is only in queries, overviews, perform, jobs, migrations and schedule', (t) => {
  const allowed = /(overviews\/(\w+\/)?\w+|[qQ]ueries|perform|performOnce|jobs|migrate|migrations|schedule|db|sql)\.ts$/;
  const breaches = all
    .filter(({ path, source }) => /import (?!type)[^;]*\bsql\b[^;]*from '(slonik|.*\/sql\.ts)'/.test(source) && !allowed.test(path))
    .map(({ path }) => path);
  t.deepEqual(breaches, []);
});

test('one file creates, changes and archives items, besides imports and moves to another workspace', (t) => {
  const writers = all.filter(({ source }) => /(?:update|insert into) items\b/.test(source)).map(({ path }) => path);
  t.deepEqual(writers.sort(), ['src/import/runs/itemQueries.ts', 'src/items/writeQueries.ts', 'src/moves/moveQueries.ts']);
});

test('SQL lists the closed statuses and the comment notification kinds in one place each', (t) => {
  const repeating = all.filter(
    ({ path, source }) => /ueries\.ts$/.test(path) && /in \('(?:done', 'cancelled|mentioned', 'commented)'/.test(source),
  );
  t.deepEqual(
    repeating.map(({ path }) => path),
    [],
  );
});

test('four files open connections to PostgreSQL, all with the address of one function', (t) => {
  const makers = all.filter(({ source }) => /\bnew (?:pg\.)?(?:Client|Pool)\(/.test(source));
  t.deepEqual(makers.map(({ path }) => path).sort(), [
    'src/database/connections.ts',
    'src/database/listen.ts',
    'src/database/migrate.ts',
    'workers/pools.ts',
  ]);
  const elsewhere = makers.flatMap(({ path, source }) =>
    [...source.matchAll(/\bnew (?:pg\.)?(?:Client|Pool)\(\s*(?:\{\s*\.\.\.)?(\w+)/g)]
      .filter(([, first]) => first !== 'dbConfig')
      .map(() => path),
  );
  t.deepEqual(elsewhere, []);
  t.deepEqual(
    all.filter(({ source }) => /\bconnectionString\b/.test(source)).map(({ path }) => path),
    ['src/database/connections.ts'],
  );
});

test('one file each formats lengths, dates and times, also in browser scripts', (t) => {
  const makers = ['src/values/lengths.ts', 'src/values/dateForms.ts', 'src/values/dateWords.ts'];
  const formats =
    /Intl\.(?:DateTimeFormat(?!\(\)\.resolvedOptions)|DurationFormat|RelativeTimeFormat)|toLocale(?:Date|Time)String|toLocaleString\((?!'en'\))|\} (?:h|min)\b(?! ago)|% 60\b.*padStart/g;
  const scripts = readdirSync(join(root, 'src/pages/static/js')).map((name) => join('src/pages/static/js', name));
  const sources = [...all, ...scripts.map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))];
  t.deepEqual(
    sources.flatMap(({ path, source }) =>
      makers.includes(path) ? [] : [...source.matchAll(formats)].map(([found]) => `${path}: ${found}`),
    ),
    [],
  );
});

test('row schemas are created once, not per call: zod compiles each one', (t) => {
  t.deepEqual(
    all.filter(({ source }) => /sql\.type\(\s*z\./.test(source)).map(({ path }) => path),
    [],
  );
});

test('every read that searches the texts of items says so', (t) => {
  const silent = all.filter(
    ({ path, source }) =>
      path.startsWith('src/') &&
      /: Read</.test(source) &&
      /\b(?:listed|readWork|readEverywhere|soughtBy|filtersOf)\(/.test(source) &&
      !source.includes('searches:'),
  );
  t.deepEqual(
    silent.map(({ path }) => path),
    [],
  );
});

test('only the configuration reads the environment', (t) => {
  const allowed = new Set(['src/cli.ts', 'src/config.ts', 'src/database/connections.ts', 'src/start.ts']);
  const readers = all
    .filter(
      ({ path, source }) =>
        source.includes('process.env') &&
        !allowed.has(path) &&
        !path.startsWith('src/embedded') &&
        !path.startsWith('src/start') &&
        !path.startsWith('src/build'),
    )
    .map(({ path }) => path);
  t.deepEqual(readers, []);
});

for (const [name, script] of [
  ['web', 'src/web.ts'],
  ['worker', 'workers/index.ts'],
] as const) {
  test(`a ${name} process gets the same memory wherever it is started`, (t) => {
    const fromSource = `node --import ./src/start/requireNode.js ${memoryOf[name].join(' ')} ${script}`;
    t.is(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts[name], fromSource);
    const command = `node ${memoryOf[name].join(' ')} built/${name}.js`;
    // `exec` lets signals from the platform reach Node instead of a shell.
    const malloc = Object.entries(mallocEnv).flat().join('=');
    t.true(readFileSync(join(root, 'Procfile'), 'utf8').includes(`\n${name}: exec env ${malloc} ${command}\n`));
    for (const path of ['Dockerfile', 'docs/operations.md'])
      t.regex(readFileSync(join(root, path), 'utf8'), new RegExp(`^(?:ENV|Environment=).* ${malloc}$`, 'm'), path);
    t.true(readFileSync(join(root, 'docker-compose.yml'), 'utf8').includes(`command: ${command}\n`));
  });
}

test('one file imports the MCP library', (t) => {
  t.deepEqual(
    all.filter(({ packages }) => packages.some((name) => name.startsWith('@modelcontextprotocol/'))).map(({ path }) => path),
    all.some(({ path }) => path === 'src/mcp/endpoint.ts') ? ['src/mcp/endpoint.ts'] : [],
  );
});

test('only postForm writes forms that change something', (t) => {
  const byHand = /method=["']?post|name="_(?:csrf|once|ask)"|data-confirm=|multipart\/form-data"/i;
  t.deepEqual(
    all.filter(({ path, source }) => path.startsWith('src/pages/') && byHand.test(source)).map(({ path }) => path),
    ['src/pages/frame/postForm.ts'],
  );
});

test('imports have no cycles, including type imports', (t) => {
  const graph = new Map(all.map(({ path, imports }) => [path, imports]));
  const state = new Map<string, 'open' | 'closed'>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'closed') return;
    if (state.get(path) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    state.set(path, 'open');
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'closed');
  };
  for (const path of graph.keys()) visit(path, []);
  t.deepEqual(cycles, []);
});
