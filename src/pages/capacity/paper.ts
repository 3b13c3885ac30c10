/** How a page of the forecast is made to fit on one sheet: smaller the more it shows, and without what is said beside the figures where much is
 *  shown (print.css). */

/** Pixels of a landscape sheet, and what takes them. */
const SHEET = 690;
const plain = { rest: 300, person: 42, project: 62 };
const dense = { rest: 260, person: 17, project: 19 };

export function paperClass(people: number, projects: number): string {
  const scaleOf = ({ rest, person, project }: typeof plain) => SHEET / (rest + person * people + project * projects);
  const much = scaleOf(plain) < 0.6;
  const percent = Math.min(100, Math.max(30, 5 * Math.floor(20 * scaleOf(much ? dense : plain))));
  return `fit-${percent}${much ? ' dense' : ''}`;
}
