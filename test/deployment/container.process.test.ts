/** Checks the container files without building an image, because the test machines can't. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(root + name, 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');

test('the Dockerfile passes its linter', (t) => {
  t.deepEqual(
    validate(dockerfile).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    [],
  );
  t.not(validate(dockerfile.replace('WORKDIR /app', 'WORKDIR app\nMAINTAINER x')).length, 0, 'the linter finds faults at all');
});

test('the image is built in stages and runs as an unprivileged user, with a health check', (t) => {
  const stages = dockerfile.split(/^FROM /m).slice(1);
  t.is(stages.length, 2);
  t.regex(stages[1]!, /^USER node$/m);
  t.regex(stages[1]!, /^HEALTHCHECK /m);
  t.notRegex(stages[1]!, /npm (ci|install)/);
});

test('the image contains what the processes need, and nothing that git ignores', (t) => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  t.deepEqual(allowed, ['!package.json', '!package-lock.json', '!.npmrc', '!sql', '!src', '!workers']);
  t.true(read('.dockerignore').startsWith('*\n'));
});

test('secrets come only from the environment, no host folder is mounted, and the root is read-only', (t) => {
  const example = read('.env.example');
  for (const name of ['SECRET_KEY', 'POSTGRES_PASSWORD', 'STINT_DATABASE_PASSWORD']) {
    t.true(compose.includes(`\${${name}:?`), name);
    t.regex(example, new RegExp(`^${name}=$`, 'm'));
  }
  t.regex(read('.gitignore'), /^\.env$/m);
  t.notRegex(compose, /volumes: .*["' ]\.{0,2}\//);
  t.regex(compose, /^ {4}read_only: true$/m);
  t.regex(compose, /create role stint login password :'password';/);
});

test('platform, container and package need the same Node version', (t) => {
  const manifest = JSON.parse(read('package.json'));
  t.is(manifest.engines.node, '>=24.7 <25');
  t.regex(read('src/start/requireNode.js'), /const needed = \[24, 7\];/);
  t.deepEqual(
    [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map((match) => match[1]),
    ['24', '24'],
  );
  t.regex(manifest.devDependencies.node, /^24\./);
  for (const [name, script] of Object.entries<string>(manifest.scripts))
    if (/(?<!-p) (src|workers)\//.test(script)) t.regex(script, /^node --import \.\/src\/start\/requireNode\.js /, name);
  for (const entry of ['src/web.ts', 'src/start.ts', 'src/cli.ts', 'workers/index.ts'])
    t.regex(/^import .*$/m.exec(read(entry))![0], /requireNode\.js';$/, entry);
});

interface Service {
  environment: Record<string, string>;
  restart?: string;
  ports?: string[];
}

test('compose passes every variable of .env.example to release, web and worker', (t) => {
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> };
  const example = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);
  const databaseOnly = ['POSTGRES_PASSWORD', 'STINT_DATABASE_PASSWORD', 'PORT'];
  t.true(example.length > 20);
  for (const service of ['release', 'web', 'worker'])
    for (const name of example.filter((one) => !databaseOnly.includes(one)))
      t.regex(services[service]!.environment[name] ?? 'not passed on', new RegExp(`^\\$\\{${name}:[-?]`), `${service}: ${name}`);
  t.regex(services.web!.ports![0]!, /^127\.0\.0\.1:\$\{PORT:-3000\}:3000$/);
  t.false('POSTGRES_PASSWORD' in services.web!.environment, "the administrator's password stays with the database");
});

test('every documented variable is in .env.example, except those that compose sets itself', (t) => {
  const table = /## Configuration\n([\s\S]*?)\n## /.exec(read('docs/operations.md'))![1]!;
  const documented = [...table.matchAll(/^\| (`[A-Z_`, ]+) \|/gm)].flatMap(([, names]) => names!.match(/[A-Z_]+/g)!);
  const byCompose = new Set([
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_PREPARED_STATEMENTS',
    'DATABASE_CA_CERT',
    'PGSSLMODE',
    'HOST',
    'NODE_COMPILE_CACHE',
  ]);
  t.true(documented.length > 25);
  for (const name of documented.filter((one) => !byCompose.has(one))) t.regex(read('.env.example'), new RegExp(`^#?${name}=`, 'm'), name);
});

test('database, web and workers restart after a crash and after a reboot', (t) => {
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> };
  for (const name of ['database', 'web', 'worker']) t.is(services[name]!.restart, 'unless-stopped', name);
  t.is(services.release!.restart, undefined);
});

const old = (version: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

for (const entry of ['src/web.ts', 'src/start.ts', 'src/cli.ts', 'workers/index.ts']) {
  test(`${entry} says in one line which Node version it needs, with and without the preloaded check`, (t) => {
    for (const [version, check] of [
      ['20.20.2', ['--import', './src/start/requireNode.js']],
      ['24.6.0', []],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, ['--import', old(version), ...check, entry], { cwd: root, encoding: 'utf8' });
      t.is(status, 1);
      t.regex(stderr, new RegExp(`^Stint needs Node 24\\.7 or later, and this is ${version.replaceAll('.', '\\.')}\\. Install .*\\n$`));
    }
  });
}
