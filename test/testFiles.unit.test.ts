/** Test files are in groups (test/groups). The files of a group share a process: a test changes nothing that the next file sees. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));

/** The environment, the working folder and globals. */
const SHARED =
  /process\.env(?:\.\w+|\[.+?\])? *(?:\?\?|\|\||&&)?=(?!=)|(?:delete |Object\.assign\()(?:process\.env|globalThis)|process\.chdir\(|globalThis(?:\.\w+|\[.+?\]) *=(?!=)/;

/** Their tests are steps of one story: a failover, and a worker that starts later than the pages. */
const STORIES = ['test/database/failover.db.test.ts', 'test/pages/capacity.browser.test.ts'];
/** They change a module until the suite ends. */
const RESTORING = ['test/database/rowSchemas.db.test.ts', 'test/support/autoExplain.ts'];
/** Loaded by child processes only. */
const PRELOADED = 'test/support/wrongClock.ts';

const paths = globSync('test/**/*.ts', { cwd: root }).filter(
  (path) => !/^test\/(?:bench|chaos)\//.test(path) && ![...STORIES, PRELOADED].includes(path),
);
const sources = paths.map((path) => ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest, true));

/** What is assigned in or below a node: variables, and objects whose properties are assigned. */
function assignedIn(node: ts.Node): { name: string; property: boolean; code: string }[] {
  const found: ReturnType<typeof assignedIn> = [];
  const add = (target: ts.Node, property = false): void => {
    if (ts.isIdentifier(target)) found.push({ name: target.text, property, code: target.parent.getText() });
    else if (ts.isArrayLiteralExpression(target)) for (const one of target.elements) add(one);
    else if (ts.isObjectLiteralExpression(target))
      for (const one of target.properties) add(ts.isPropertyAssignment(one) ? one.initializer : one.name!);
    else if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) add(target.expression, true);
    else if (ts.isNonNullExpression(target)) add(target.expression, property);
  };
  const { FirstAssignment, LastAssignment, PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
  const visit = (one: ts.Node): void => {
    if (ts.isBinaryExpression(one)) {
      const { kind } = one.operatorToken;
      if (kind >= FirstAssignment && kind <= LastAssignment) add(one.left);
    } else if (ts.isPrefixUnaryExpression(one) || ts.isPostfixUnaryExpression(one)) {
      if ([PlusPlusToken, MinusMinusToken].includes(one.operator)) add(one.operand);
    } else if (ts.isCallExpression(one) && /^Object\.(?:assign|definePropert)/.test(one.expression.getText())) add(one.arguments[0]!, true);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}

const variablesOf = (source: ts.SourceFile) =>
  source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.flatMap(({ name }) => name.getText().match(/\w+/g) ?? []));

const importsOf = (source: ts.SourceFile) =>
  source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => importClause?.getText().match(/\w+/g) ?? []);

/** The calls that declare a test, without hooks. */
const bodiesOf = (source: ts.SourceFile) => {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['test', 'test.long'].includes(node.expression.getText())) found.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const breaches = (find: (source: ts.SourceFile) => string[]) =>
  sources.flatMap((source) => find(source).map((code) => `${source.fileName}: ${code}`));

test('every test file is in one group; those with random cases or long tests also run long', (t) => {
  const grouped = sources
    .filter(({ fileName }) => fileName.startsWith('test/groups/'))
    .flatMap(({ fileName, text }) =>
      [...text.matchAll(/^import '(.+)';$/gm)].map(([, file]) => ({ group: fileName, file: join(dirname(fileName), file!) })),
    );
  const files = globSync('test/**/*.test.ts', { cwd: root });
  const others = grouped.filter(({ group }) => !group.includes('/long/thorough')).map(({ file }) => file);
  t.deepEqual(
    files.filter((file) => others.filter((one) => one === file).length !== 1),
    [],
  );
  const long = grouped.filter(({ group }) => group.includes('/long/')).map(({ file }) => file);
  const differ = files.filter((file) => /support\/thorough\.ts'|test\.long\(/.test(readFileSync(root + file, 'utf8')));
  t.deepEqual(
    differ.filter((file) => !long.includes(file)),
    [],
  );
});

test('no test changes the environment, the working folder or a global: pass them to a function or a child process', (t) => {
  const found = breaches(({ text }) => text.split('\n').filter((line) => SHARED.test(line)));
  t.deepEqual(found, []);
});

test('no test changes a module that it imports', (t) => {
  const found = breaches((source) => {
    const imported = new Set(importsOf(source));
    return assignedIn(source).flatMap(({ name, property, code }) =>
      property && imported.has(name) && !RESTORING.includes(source.fileName) ? [code] : [],
    );
  });
  t.deepEqual(found, []);
});

test('tests assign no variables of their file: hooks do', (t) => {
  const found = breaches((source) => {
    const variables = new Set(variablesOf(source));
    return bodiesOf(source)
      .flatMap(assignedIn)
      .flatMap(({ name, property, code }) => (!property && variables.has(name) ? [code] : []));
  });
  t.deepEqual(found, []);
});
