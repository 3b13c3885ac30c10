/** What a browser calls itself, as its person would: `Firefox on Linux`. For telling sessions apart, and nothing else. */

// The more particular first: nearly all of them claim to be Chrome and Safari too.
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
