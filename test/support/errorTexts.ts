/** The texts of all errors that callers get: what error classes, collected faults, zod checks and the table of quick lines are given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesIn, placeholder, root, type Text } from './texts.ts';

/** Index of the argument with the text. */
const classes: Record<string, number> = { InvalidRequest: 1, WhichWork: 0, AppError: 1, Conflict: 0, Unauthenticated: 0, Unavailable: 0 };

/** Functions that return the text of an error. */
const RETURNED = /^(?:faultOfUrl|linkFault|textFault|unstorable|belowFault)$/;

/** Here a plain Error is printed as it is: to operators, or by scripts of pages to users. Elsewhere it is a bug and logged. */
const PRINTED = /^src\/(?:cli|start|embedded|config\.ts|database\/(?:migrate|connections)\.ts|pages\/static\/js\/notes)/;

function argumentOf(node: ts.Node, path: string): ts.Node | undefined {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    const { text } = node.expression;
    return text === 'Error' && PRINTED.test(path) ? node.arguments?.[0] : node.arguments?.[classes[text] ?? -1];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    if (expression.getText() === 'Math') return undefined;
    if (name.text === 'add' && /faults$/.test(expression.getText())) return node.arguments[1];
    if (/^(?:refine|min|max|check|regex)$/.test(name.text)) return node.arguments[1];
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'fault' && !/mcp/.test(path))
    return node.arguments.at(-1);
  if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && RETURNED.test(node.name?.getText() ?? ''))
    return ts.isFunctionDeclaration(node) ? node.body : node.initializer;
  if (!ts.isPropertyAssignment(node) || !ts.isIdentifier(node.name)) return undefined;
  const beside = node.parent.properties.map((one) => one.name?.getText());
  if (node.name.text === 'error' || node.name.text === 'whatToDo') return node.initializer;
  if (node.name.text === 'message' && beside.includes('code') && beside.includes('input')) return node.initializer;
  // A problem with `allowed` gets the allowed values as its end.
  return node.name.text === 'problem' && /quickLine/.test(path) && !beside.includes('allowed') ? node.initializer : undefined;
}

function textsOf(path: string): Text[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map<ts.Node, Text>();
  const declared = new Map<string, ts.Node>();
  const collect = (node: ts.Node, depth = 0): void => {
    if (ts.isConditionalExpression(node)) {
      collect(node.whenTrue, depth);
      collect(node.whenFalse, depth);
      return;
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() !== 'error') return;
    if (ts.isElementAccessExpression(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const text = ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map(({ expression, literal }) => placeholder(expression, source) + literal.text).join('')
        : node.text;
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      // Single words and joined placeholders are values.
      if (/\S \S/.test(text) && /[a-z]{2}/i.test(text.replaceAll(/\{[^}]*\}/g, '')))
        found.set(node, { path, line, text: text.replaceAll(/\s+/g, ' ') });
      return;
    }
    const origin = ts.isIdentifier(node) && depth < 2 ? declared.get(node.text) : undefined;
    if (origin) collect(origin, depth + 1);
    ts.forEachChild(node, (child) => collect(child, depth));
  };
  const visit = (node: ts.Node, act: (node: ts.Node) => void): void => {
    act(node);
    ts.forEachChild(node, (child) => visit(child, act));
  };
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) declared.set(node.name.text, node.initializer);
  });
  visit(source, (node) => {
    const argument = argumentOf(node, path);
    if (argument) collect(argument);
  });
  return [...found.values()];
}

export const errorTexts = (): Text[] =>
  ['src', 'workers']
    .flatMap(filesIn)
    .filter((path) => !path.includes('/styleguide/'))
    .flatMap(textsOf);
