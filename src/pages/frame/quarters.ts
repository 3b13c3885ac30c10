/** Where a block of the agenda begins and how long it is: classes .q1 to .q100 and .n1 to .n100 (a day may have 25 hours), since the CSP knows no style
 *  attributes. */
const quarters = Array.from({ length: 100 }, (_, i) => i + 1);

export const quarterRules = (): string =>
  `@layer parts{${quarters.map((n) => `.q${n}{grid-row-start:${n}}.n${n}{grid-row-end:span ${n}}`).join('')}}`;
