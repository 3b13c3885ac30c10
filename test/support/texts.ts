/** Every text that people read: literals with words in src and workers, with file and line. `npm run texts` prints them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Text {
  path: string;
  line: number;
  /** Without HTML tags. A value is `{its expression}`. */
  text: string;
}

/** A tag that doesn't end a sentence. */
const INLINE = /<\/?(?:a|abbr|b|bdi|code|em|i|kbd|mark|small|span|strong|sup|time|wbr)(?=[\s>])(?:[^<>"]|"[^"]*")*>/g;
const SPOKEN =
  /\b(?:aria-label|title|placeholder|alt|aria-description|aria-roledescription|data-(?:label|say|word|words|question|done))="([^"]*)"/g;

/** The visible texts of markup and its attributes, each by itself. */
function inMarkup(markup: string): string[] {
  const attributes = [...markup.matchAll(SPOKEN)].map(([, text]) => text!);
  const content = markup
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, '')
    .replaceAll(INLINE, '')
    .split(/<(?:[^<>"]|"[^"]*")*>/);
  return [...content, ...attributes];
}

/** The source of an expression between braces, shortened. Values of markup have no words of their own. */
export const placeholder = (node: ts.Expression, source: ts.SourceFile): string =>
  `{${node
    .getText(source)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[{}<>"`]/g, '')
    .slice(0, 30)}}`;

const words = (text: string): string => text.replaceAll(/\{[^}]*\}/g, ' ');

/** Not a class list, a path, a name, SQL or code. */
function isText(text: string): boolean {
  const own = words(text);
  if (
    /^\s*(?:select|insert|update|delete|with|create|alter|grant|set|begin|order by|where|and|from|drop|lock|listen|analyze)\b.*[=(;_]/s.test(
      own,
    )
  )
    return false;
  if (/^[a-z-]+ [a-z-]+=|[{};]\s*$|=>|^\s*[<[(]|^[\w-]+(?:,[\w-]+)+$|^#|:where|^\S*[_/\\]\S*$|^[.@:-]/.test(own)) return false;
  if (!/[A-Za-z]{2,}/.test(own)) return false;
  return /[A-Za-z]{2,}[ ,:;'’]+(?:[A-Za-z]|\S*\{)/.test(text) || /^[A-Z][a-z]+[.?!…]?$/.test(own.trim());
}

function textsOf(path: string): Text[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const add = (node: ts.Node, pieces: readonly string[]) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    for (const piece of pieces) {
      const text = piece.replaceAll(/\s+/g, ' ').trim();
      if (isText(text)) found.push({ path, line, text });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isElementAccessExpression(node)) return;
    if (ts.isTaggedTemplateExpression(node) && /^(?:sql|fragment|css)/.test(node.tag.getText(source))) return;
    if (ts.isPropertyAssignment(node) && /^(?:class|icon|sheets)$/.test(node.name.getText(source))) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const isMarkup = /<[a-z]+[\s>]/.test(node.text);
      add(node, isMarkup ? inMarkup(node.text) : [node.text]);
    } else if (ts.isTemplateExpression(node)) {
      const text =
        node.head.text + node.templateSpans.map(({ expression, literal }) => placeholder(expression, source) + literal.text).join('');
      const isMarkup = ts.isTaggedTemplateExpression(node.parent) || /<[a-z]+[\s>]/.test(text);
      add(node, isMarkup ? inMarkup(text) : [text]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[tj]s$/.test(path))
    .map((path) => join(folder, path))
    .sort();
}

/** Of `src` and `workers`. `part`: only files whose path contains it. */
export const allTexts = (part = ''): Text[] =>
  ['src', 'workers']
    .flatMap(filesIn)
    .filter((path) => path.includes(part))
    .flatMap(textsOf);

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { path, line, text } of allTexts(process.argv[2])) console.log(`${path}:${line}  ${text}`);
