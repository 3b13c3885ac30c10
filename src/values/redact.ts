/** Removes mail addresses, passwords, keys and links from error texts, for operators and administrators. */
export const redact = (text: string): string =>
  text
    .replace(/\S+/g, withoutAddresses)
    .replace(/\b(bearer |(?:password|passwd|secret|token|api_?key|t)[=:] ?)[^\s&"']+/gi, '$1[secret]')
    .replace(/[\w+~=-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '[secret]' : word));

/** Also removes user name and password from a URL. */
function withoutAddresses(word: string): string {
  const [scheme, at] = [word.indexOf('://'), word.lastIndexOf('@')];
  const url = scheme >= 0 && at > scheme ? `${word.slice(0, scheme + 3)}[secret]${word.slice(at)}` : word;
  return url.replace(/[^<>()[\]"',;:=/]+/g, (part) => (part.indexOf('@') > 0 ? '[address]' : part));
}
