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
