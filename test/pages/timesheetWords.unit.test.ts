/** The week grid parses lengths in the browser exactly as the service does. */
import fc from 'fast-check';
import * as sheet from '../../src/pages/static/js/timesheetWords.ts';
import { cellMinutes } from '../../src/time/saveGrid.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const number = fc.oneof(
  fc.nat(1_200).map(String),
  fc.tuple(fc.nat(120), fc.constantFrom('.', ','), fc.nat(9_999)).map(([whole, point, rest]) => `${whole}${point}${rest}`),
);
const unit = fc.constantFrom('', 'h', ' h', 'hours', 'hr', ' hrs', 'm', ' min', 'mins', 'minutes', ':', 'h ', '  h', 'x', '-');
const typed = fc
  .array(
    fc.tuple(number, unit).map((parts) => parts.join('')),
    { maxLength: 2 },
  )
  .map((parts) => parts.join(''));

test("a cell's text has the same length in the browser and the service, and none if it is invalid", (t) => {
  const same = (text: string) => {
    const minutes = cellMinutes(text);
    return sheet.minutesOf(text) === (Number.isNaN(minutes) ? 0 : minutes);
  };
  for (const text of ['', ' ', '1:30', '1h30', '1 H 30 M', '45m', '1.5', '1,5', '2 h', '0:00', '1:75', '9-11', 'x', '1:30 on words', '-1'])
    t.true(same(text), text);
  fc.assert(fc.property(typed, same), { numRuns: runs(2_000) });
  t.pass();
});
