/** Where a block of the agenda begins and how long it is: classes .q1 to .q96 and .n1 to .n96, since the CSP knows no style attributes. */
const quarters = Array.from({ length: 96 }, (_, i) => i + 1);

export const quarterRules = (): string =>
  `@layer parts{${quarters.map((n) => `.q${n}{grid-row-start:${n}}.n${n}{grid-row-end:span ${n}}`).join('')}}`;
