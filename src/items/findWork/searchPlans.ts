/** Which index svc_find_work scans first, and when it gives up for another. Pure.
 *
 *  Every filter has an index of its own, so a single filter is a look-up. Of several filters one leads, by its index, and the others are
 *  checked row by row: quick when many rows pass and when there are few rows, slow in between, and which it is can't be told beforehand.
 *  So a plan has a budget of rows; when it is used up before the answer is complete, the next plan is tried. */

/** In the order in which they lead. `due` is a range of days, `under` everything below an item, `text` a search. */
export const filterNames = ['ids', 'requirement', 'release', 'due', 'assignee', 'status', 'priority', 'under', 'text'] as const;
export type FilterName = (typeof filterNames)[number];

/** Scans of streams: an index scan by a filter, of everything readable (`all`), of the workspaces in id order (`walk`), or of a long range of
 *  days, either way in each stream (`range`). */
export type StreamScan = Exclude<FilterName, 'ids' | 'under' | 'text'> | 'all' | 'walk' | 'range';

/** One try: such a scan, another by a filter, of the workspaces' texts in id order (`texts`); or, across many workspaces, of the ids next to
 *  the cursor (`near`), of those from the first row behind it on (`window`), or of all open work of a person (`person`). */
export interface SearchPlan {
  scan: StreamScan | FilterName | 'texts' | 'near' | 'window' | 'person';
  /** The most rows to look at in all; null for no bound, with which the answer is certain. */
  budget: number | null;
  /** Made for many workspaces at once. The statement of another looks near the cursor instead, where it sees so many. */
  across?: boolean;
  /** Worth it only when many of the rows looked at before were wanted. */
  ifDense?: boolean;
}

/** A due range of so many days is a stream for each day, in id order; a longer one has no order. */
export const MOST_DAYS = 7;

const FIRST_LOOK = 200;
/** Ids near the cursor that the first statement looks at for who reaches many workspaces. */
export const NEAR = FIRST_LOOK;
const SECOND_LOOK = 1_000;
/** With a search: each text is a look-up of its own. */
const SECOND_LOOK_AT_TEXTS = 300;
const LONG_LOOK = 2_000;
/** Texts lie in the order of ids: a hundred of them cost what looking three items up does. */
const FIRST_TEXTS = 1_000;
const LONG_TEXTS = 10_000;
/** So many that the index finds are looked up; where it finds more, they come soon in the order of ids as well. */
const FEW_TEXTS = 500;

/** To who reaches more workspaces than these, their streams are many. */
export const FEW_WORKSPACES = 8;
const FEW_OF_PERSON = 1_000;

export interface Filters {
  /** Those given, in the order of filterNames. */
  given: readonly FilterName[];
  /** The days of a due range; null when it is longer than MOST_DAYS or open. */
  days: number | null;
  /** A search goes through notes, too: each item's are a look-up of their own. */
  notes?: boolean;
  /** Only open work of one person is looked for. */
  person?: boolean;
}

/** In the order to try them; the last one has no budget. */
export function plansFor({ given, days, notes = false }: Filters): SearchPlan[] {
  if (given.includes('ids')) return [{ scan: 'ids', budget: null }];
  if (given.includes('under')) return plansBelow(given);
  if (given.includes('text')) return plansForText(given, notes);
  if (days === null && given.join() === 'due') return [FIRST_LOOK, SECOND_LOOK, null].map((budget) => ({ scan: 'range', budget }));
  const inOrder = given.filter((name) => name !== 'due' || days !== null);
  const [first = 'all', ...others] = inOrder;
  if (given.length === inOrder.length && others.length === 0) return [{ scan: first, budget: null }];
  const leads = given.map((scan) => ({ scan, budget: SECOND_LOOK }));
  return [
    ...leads.filter(narrow),
    { scan: 'walk', budget: FIRST_LOOK },
    { scan: 'walk', budget: LONG_LOOK, ifDense: true },
    ...leads.filter((lead) => !narrow(lead)),
    { scan: first, budget: null },
  ];
}

/** The same for who reaches many workspaces and names none, after what is nearest. */
export function plansAcross(filters: Filters): SearchPlan[] {
  const { given, notes = false, person = false } = filters;
  const looks: SearchPlan[] = [
    ...(person ? [{ scan: 'person', budget: FEW_OF_PERSON } as const] : []),
    { scan: 'near', budget: LONG_LOOK },
    // Texts are a look-up each, and mostly rare: then this would only come on top.
    ...(given.includes('text') ? [] : [{ scan: 'window', budget: LONG_LOOK } as const]),
  ];
  return [...(notes ? [] : looks), ...plansFor(filters).filter(({ scan }) => scan !== 'walk')].map((plan) => ({ ...plan, across: true }));
}

const narrow = ({ scan }: SearchPlan) => scan === 'requirement' || scan === 'release';

function plansForText(given: Filters['given'], notes: boolean): SearchPlan[] {
  const leads = given.filter((name) => name !== 'text').map((scan) => ({ scan, budget: SECOND_LOOK_AT_TEXTS }));
  const alone = leads.length === 0 && !notes;
  return [
    ...leads.filter(narrow),
    { scan: 'texts', budget: alone ? FIRST_TEXTS : FIRST_LOOK },
    ...(alone ? [] : [{ scan: 'texts', budget: LONG_LOOK, ifDense: true } as const]),
    // Where nothing else comes between, whatever the index finds is gone through at once.
    ...(alone || leads.some((lead) => !narrow(lead)) ? [{ scan: 'text', budget: FEW_TEXTS } as const] : []),
    ...(alone ? [{ scan: 'texts', budget: LONG_TEXTS } as const] : []),
    ...leads.filter((lead) => !narrow(lead)),
    { scan: 'text', budget: null },
  ];
}

/** What is below an item is either little, and gone through; or much, and then a walk through the workspace soon finds a page of it. */
function plansBelow(given: Filters['given']): SearchPlan[] {
  const withText = given.includes('text');
  const leads = given.filter((name) => name !== 'text' && name !== 'under');
  return [
    { scan: 'under', budget: FIRST_LOOK },
    { scan: 'walk', budget: FIRST_LOOK },
    { scan: 'walk', budget: LONG_LOOK, ifDense: true },
    ...leads.map((scan) => ({ scan, budget: SECOND_LOOK })),
    ...(withText ? [{ scan: 'under', budget: LONG_LOOK } as const] : []),
    { scan: withText ? 'text' : 'under', budget: null },
  ];
}
