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
