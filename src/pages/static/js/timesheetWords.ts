// Must equal src/time/saveGrid.ts (test/pages/timesheetWords.unit.test.ts).
const decimal = (text: string | undefined): number => Number(text?.replace(',', '.'));

export function minutesOf(text: string): number {
  const typed = text.trim().toLowerCase();
  if (typed === '') return 0;
  let found = /^\d{1,3}([.,]\d{1,4})?$/.exec(typed);
  if (found) return Math.round(decimal(typed) * 60);
  found = /^(\d{1,2}):([0-5]\d)(\s?h)?$/.exec(typed) ?? /^(\d{1,2})\s?h(?:ours?|rs?)?\s?(\d{1,2})(\s?m(in(ute)?s?)?)?$/.exec(typed);
  if (found) return Number(found[1]) * 60 + Number(found[2]);
  found = /^(\d{1,3}(?:[.,]\d{1,4})?)\s?h(ours?|rs?)?$/.exec(typed);
  if (found) return Math.round(decimal(found[1]) * 60);
  found = /^(\d{1,4}(?:[.,]\d{1,4})?)\s?m(in(ute)?s?)?$/.exec(typed);
  return found ? Math.round(decimal(found[1])) : 0;
}
