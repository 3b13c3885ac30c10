/** Texts of errors, as operators and administrators may read them: without mail addresses, passwords, keys and links. */
export const redact = (text: string): string =>
  text
    .replace(/([a-z][a-z\d+.-]{0,20}:\/\/)\S{1,500}@/gi, '$1[secret]@')
    .replace(/[^\s<>()[\]"',;:=@]{1,64}@[^\s<>()[\]"',;:@]{1,255}/g, '[address]')
    .replace(/\b(bearer |(?:password|passwd|secret|token|api_?key|t)[=:] ?)[^\s&"']+/gi, '$1[secret]')
    .replace(/[\w+~=-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '[secret]' : word));
