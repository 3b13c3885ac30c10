/** Texts of errors, as operators and administrators may read them: without mail addresses, passwords, keys and links. */
export const redact = (text: string): string =>
  text
    .replace(/\S+/g, withoutAddresses)
    .replace(/\b(bearer |(?:password|passwd|secret|token|api_?key|t)[=:] ?)[^\s&"']+/gi, '$1[secret]')
    .replace(/[\w+~=-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '[secret]' : word));

/** What stands before the host of a URL goes as well. */
function withoutAddresses(word: string): string {
  const [scheme, at] = [word.indexOf('://'), word.lastIndexOf('@')];
  const url = scheme >= 0 && at > scheme ? `${word.slice(0, scheme + 3)}[secret]${word.slice(at)}` : word;
  return url.replace(/[^<>()[\]"',;:=/]+/g, (part) => (part.indexOf('@') > 0 ? '[address]' : part));
}
