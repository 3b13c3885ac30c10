/** The house rules, read off the imports: who may know whom, where SQL may stand, and no circles. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { memoryOf } from '../src/start/services.ts';

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
      .filter((name) => name.endsWith('.ts'))
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

// From the kernel to the processes; a room may import its own kind and what stands to its left.
const nouns = [
  'accounts',
  'workspaces',
  'connections',
  'items',
  'comments',
  'notifications',
  'time',
  'plans',
  'capacity',
  'personal-notes',
];
const adapters = ['http', 'rest', 'mcp', 'pages'];
const kernel =
  /^src\/(config|db|driver|mailer|memory|errors|dates|text|json|jobs|listen|log|input|migrate|migrations|metrics|operation|perform|performOnce|queueQueries|sql)\.ts$/;

/** A room's height: lower rooms never import from higher ones. */
function height(path: string): number {
  const room = path.split('/')[1]!;
  if (kernel.test(path)) return 0;
  if (room === 'access') return 1;
  if (nouns.includes(room)) return 2 + nouns.indexOf(room);
  if (room === 'import' || room === 'sample') return 20;
  if (path === 'workers/task.ts') return 20;
  if (/^workers\/(task|\w+Queries)\.ts$/.test(path)) return 21;
  if (path.startsWith('workers/tasks/')) return 22;
  if (room === 'http') return 30;
  if (adapters.includes(room)) return 31;
  if (path === 'src/app.ts' || path === 'src/health.ts') return 40;
  return 50;
}

const all = modules();

test('a room imports only from its own kind and from below', (t) => {
  const breaches = all.flatMap(({ path, imports }) =>
    imports
      .filter((target) => height(target) > height(path) && !(kernel.test(path) && target.startsWith('src/access/')))
      .map((target) => `${path} -> ${target}`),
  );
  // The application hands its dependencies to the health page as a type.
  t.deepEqual(
    breaches.filter((breach) => breach !== 'src/health.ts -> src/app.ts'),
    [],
  );
});

test('rest, mcp and pages do not know each other', (t) => {
  const faces = ['rest', 'mcp', 'pages'];
  const room = (path: string) => path.split('/')[1]!;
  const breaches = all.flatMap(({ path, imports }) =>
    imports
      .filter((target) => faces.includes(room(path)) && faces.includes(room(target)) && room(path) !== room(target))
      .map((target) => `${path} -> ${target}`),
  );
  t.deepEqual(breaches, []);
});

test('SQL stands in queries, perform, jobs, migrations and schedule alone', (t) => {
  const allowed = /([qQ]ueries|perform|performOnce|jobs|migrate|migrations|schedule|db|sql)\.ts$/;
  const breaches = all
    .filter(({ path, source }) => /import (?!type)[^;]*\bsql\b[^;]*from '(slonik|.*\/sql\.ts)'/.test(source) && !allowed.test(path))
    .map(({ path }) => path);
  t.deepEqual(breaches, []);
});

test('row schemas are made once, not per call: zod compiles each one', (t) => {
  t.deepEqual(
    all.filter(({ source }) => /sql\.type\(\s*z\./.test(source)).map(({ path }) => path),
    [],
  );
});

test('only the configuration reads the environment', (t) => {
  const allowed = new Set(['src/config.ts', 'src/start.ts']);
  const readers = all
    .filter(
      ({ path, source }) =>
        source.includes('process.env') && !allowed.has(path) && !path.startsWith('src/embedded') && !path.startsWith('src/start'),
    )
    .map(({ path }) => path);
  t.deepEqual(readers, []);
});

for (const [name, script] of [
  ['web', 'src/web.ts'],
  ['worker', 'workers/index.ts'],
] as const) {
  test(`a ${name} process is given the same memory wherever it is started`, (t) => {
    const command = `node ${memoryOf[name].join(' ')} ${script}`;
    t.is(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts[name], command);
    t.true(readFileSync(join(root, 'docker-compose.yml'), 'utf8').includes(`command: ${command}\n`));
  });
}

test('the MCP library is known to one file', (t) => {
  t.deepEqual(
    all.filter(({ packages }) => packages.some((name) => name.startsWith('@modelcontextprotocol/'))).map(({ path }) => path),
    all.some(({ path }) => path === 'src/mcp/endpoint.ts') ? ['src/mcp/endpoint.ts'] : [],
  );
});

test('no circle of imports', (t) => {
  const graph = new Map(all.map(({ path, source }) => [path, runtimeImports(path, source)]));
  const state = new Map<string, 'open' | 'closed'>();
  const circles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'closed') return;
    if (state.get(path) === 'open') {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    state.set(path, 'open');
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'closed');
  };
  for (const path of graph.keys()) visit(path, []);
  t.deepEqual(circles, []);
});

/** Imports that exist at run time: types are erased. */
function runtimeImports(path: string, source: string): string[] {
  return [...source.matchAll(/^import (?!type)[^;]*?from '(\.[^']+)'/gms)].map((match) =>
    relative(root, join(root, dirname(path), match[1]!)),
  );
}
