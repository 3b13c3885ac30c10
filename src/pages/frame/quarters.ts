/** Classes for agenda blocks in quarter hours (a day may have 25 hours), because the CSP forbids style attributes. */
const quarters = Array.from({ length: 100 }, (_, i) => i + 1);

export const quarterRules = (): string =>
  `@layer parts{${quarters.map((n) => `.q${n}{grid-row-start:${n}}.n${n}{grid-row-end:span ${n}}`).join('')}}`;
