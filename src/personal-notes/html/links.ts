// The two slashes matter: `https:evil` and `https:/evil` are relative on a page served over https.
const absolute = /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i;

/** True for an http, https or mailto URL, whatever page contains it (behaviour §11.7). Browsers remove controls, so `java\tscript:` would
 *  work. Runs in browsers too. */
export function isAbsoluteLink(href: string): boolean {
  return absolute.test(href) && !/[\x00-\x1f\x7f]/.test(href) && URL.canParse(href);
}
