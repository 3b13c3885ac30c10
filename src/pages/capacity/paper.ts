/** Fits a forecast on one printed sheet: smaller with more rows (print.css). */

/** CSS pixels: the height of a landscape sheet, and of the parts on it. */
const SHEET = 690;
const plain = { rest: 300, person: 42, project: 62 };
const dense = { rest: 260, person: 17, project: 19 };

export function paperClass(people: number, projects: number): string {
  const scaleOf = ({ rest, person, project }: typeof plain) => SHEET / (rest + person * people + project * projects);
  const much = scaleOf(plain) < 0.6;
  const percent = Math.min(100, Math.max(30, 5 * Math.floor(20 * scaleOf(much ? dense : plain))));
  return `fit-${percent}${much ? ' dense' : ''}`;
}
