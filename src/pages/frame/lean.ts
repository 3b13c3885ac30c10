import { stripTypeScriptTypes } from 'node:module';

/** A browser script as JavaScript, without types, comment lines and indentation. It works on whole lines, so no string may span lines
 *  (test/pages/assets.unit.test.ts). */
export function leanJs(script: string): string {
  const lines = withoutTypes(script)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//') && !/^\/\*\*.*\*\/$/.test(line)).join('\n');
}

/** Node warns that this function is experimental. It runs our own sources the same way, without a warning. */
function withoutTypes(script: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(script);
  } finally {
    process.emitWarning = emitWarning;
  }
}

const marks = new Set(['{', '}', ';', ',']);
const token = /"(?:[^"\\]|\\.)*"|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\s+|[^\s"/{};,]+|./gs;

/** Styles without comments and whitespace; strings stay unchanged. */
export function leanCss(css: string): string {
  const lean: string[] = [];
  let apart = false;
  for (const [found] of css.matchAll(token)) {
    if (found.startsWith('/*') || found.trim() === '') apart = true;
    else {
      const before = lean.at(-1);
      if (apart && before && !before.endsWith(':') && !marks.has(before) && !marks.has(found)) lean.push(' ');
      if (found === '}' && before === ';') lean.pop();
      lean.push(found);
      apart = false;
    }
  }
  return lean.join('');
}
