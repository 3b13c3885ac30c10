/** Removes comments and whitespace; strings stay unchanged. */
const marks = new Set(['{', '}', ';', ',']);
const token = /"(?:[^"\\]|\\.)*"|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\s+|[^\s"/{};,]+|./gs;

export function leanCss(css: string): string {
  const lean: string[] = [];
  let apart = false;
  for (const [found] of css.matchAll(token)) {
    if (found.startsWith('/*') || found.trim() === '') apart = true;
    else {
      if (apart && lean.length && !marks.has(lean.at(-1)!) && !marks.has(found)) lean.push(' ');
      lean.push(found);
      apart = false;
    }
  }
  return lean.join('');
}
