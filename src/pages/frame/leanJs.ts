/** A script without the lines that are comments, and without its indentation: a fifth of what would be sent. It looks at whole lines and knows
 *  no syntax: in our files no text goes over a line's end (test/pages/assets.unit.test.ts). */
export function leanJs(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//') && !/^\/\*\*.*\*\/$/.test(line)).join('\n');
}
