// Specific browsers first: most of them also claim to be Chrome and Safari.
const browsers = { Edge: /Edg/, Opera: /OPR\//, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/, curl: /^curl/ };
const systems = {
  Android: /Android/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Windows: /Windows/,
  macOS: /Macintosh|Mac OS/,
  ChromeOS: /CrOS/,
  Linux: /Linux/,
};

const first = (patterns: Record<string, RegExp>, text: string) => Object.entries(patterns).find(([, pattern]) => pattern.test(text))?.[0];

export function deviceOf(userAgent: string): string {
  const text = userAgent.slice(0, 500);
  const [browser, system] = [first(browsers, text), first(systems, text)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Another browser');
}
