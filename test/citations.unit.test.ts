/** Code cites rules of docs/behaviour.md: every citation has a rule or section, rule numbers are unique, and links of documents work. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));
const behaviour = readFileSync(join(root, 'docs/behaviour.md'), 'utf8');

const groupsIn = (text: string, anchor: RegExp) => [...text.matchAll(anchor)].map((found) => found[1]!);
const rules = groupsIn(behaviour, /^\*\*(\d+\.\d+)\*\* /gm);
const sections = groupsIn(behaviour, /^## (\d+) /gm);

/** `behaviour §3.4`, with more rules behind commas. A citation may continue on the next line of a comment. */
const citation = /behaviour((?:,?[\s/*-]+(?:and )?§[\d.]*\d)+)/gi;
const oldCitation = /\b(?:spec|contract)(?:'s)?,? ?§/i;

function* filesIn(folder: string): Generator<string> {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (/\.(?:ts|js|sql|css|md)$/.test(path) && path !== 'citations.unit.test.ts') yield join(folder, path);
  }
}

const texts = ['src', 'workers', 'sql', 'test', 'docs']
  .flatMap((folder) => [...filesIn(folder)])
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const citedIn = (text: string) => [...text.matchAll(citation)].flatMap(([, list]) => groupsIn(list!, /§([\d.]*\d)/g));

test('every citation names an existing rule or section', (t) => {
  const dead = texts.flatMap(({ path, text }) =>
    citedIn(text)
      .filter((cited) => !rules.includes(cited) && !sections.includes(cited))
      .map((cited) => `${path}: §${cited}`),
  );
  t.deepEqual(dead, []);
  t.true(texts.some(({ path, text }) => path.startsWith('src') && citedIn(text).length > 0));
});

test('the rules cite existing rules', (t) => {
  t.deepEqual(
    groupsIn(behaviour, /§(\d+(?:\.\d+)?)/g).filter((cited) => !rules.includes(cited) && !sections.includes(cited)),
    [],
  );
});

test('rule numbers are unique, ordered, and match their section', (t) => {
  t.deepEqual(rules, [...new Set(rules)]);
  const numbers = sections.map(Number);
  t.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  for (const text of behaviour.split(/^## (?=\d)/m).slice(1)) {
    const section = Number.parseInt(text, 10);
    const inside = groupsIn(text, /^\*\*(\d+\.\d+)\*\* /gm);
    t.deepEqual(
      inside,
      inside.map((_, rule) => `${section}.${rule + 1}`),
    );
  }
});

test('no citation names a document outside the repository', (t) => {
  t.deepEqual(
    texts.filter(({ text }) => oldCitation.test(text)).map(({ path }) => path),
    [],
  );
});

const documents = [...filesIn('docs'), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

test('every link in a document leads to a file of the repository', (t) => {
  const dead = documents.flatMap(({ path, text }) =>
    groupsIn(text, /\]\((?!https?:|[#/])([^)#\s]+)/g)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  t.deepEqual(dead, []);
});

test('every source file and folder that a document names exists', (t) => {
  const named = /`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|sql|js|json))?)`/g;
  const dead = documents.flatMap(({ path, text }) =>
    groupsIn(text, named)
      .filter((name) => !/^(?:\.data|built)\//.test(name) && !/[NX]{2}|\bx\.ts$/.test(name))
      .filter((name) => !['', 'src', 'docs'].some((folder) => existsSync(join(root, folder, name))))
      .map((name) => `${path}: ${name}`),
  );
  t.deepEqual(dead, []);
});
