/** Removes comment lines and indentation. It works on whole lines, so no string may span lines (test/pages/assets.unit.test.ts). */
export function leanJs(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//') && !/^\/\*\*.*\*\/$/.test(line)).join('\n');
}
