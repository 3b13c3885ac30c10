/** Chooses which index svc_find_work scans first, and when it tries another. Pure.
 *
 *  A single filter is one index scan. With several filters, one index leads and the other filters are checked row by row. This is fast when
 *  many rows match or few exist, and slow in between; we can't know beforehand. So each plan has a budget of rows. If the budget ends
 *  before the page is complete, the next plan runs. */

/** In the order of precedence as leading filter. `due`: a range of days. `under`: everything below an item. `text`: a search. */
export const filterNames = ['ids', 'requirement', 'release', 'due', 'assignee', 'status', 'priority', 'under', 'text'] as const;
export type FilterName = (typeof filterNames)[number];

/** Scans of streams: by a filter, or of all readable rows (`all`). `walk` is in id order, `range` a long range of days. */
export type StreamScan = Exclude<FilterName, 'ids' | 'under' | 'text'> | 'all' | 'walk' | 'range';

/** One attempt: a scan as above, or the workspaces' texts in id order (`texts`). For many workspaces also: `near`, the ids next to the
 *  cursor; `window`, the ids after the first existing row; `person`, all open work of a person. */
export interface SearchPlan {
  scan: StreamScan | FilterName | 'texts' | 'near' | 'window' | 'person';
  /** Maximum number of rows to read; null for no limit, so that the page is always complete. */
  budget: number | null;
  /** For many workspaces. Plans without it read only near the cursor if the caller has more than FEW_WORKSPACES. */
  across?: boolean;
  ifDense?: boolean;
}

/** Up to this many days, a due range is one stream per day, in id order. A longer range has no id order. */
export const MOST_DAYS = 7;

const FIRST_LOOK = 200;
/** Number of ids near the cursor that the first statement reads for a caller with many workspaces. */
export const NEAR = FIRST_LOOK;
const SECOND_LOOK = 1_000;
/** Lower with a text search, because each text is one lookup. */
const SECOND_LOOK_AT_TEXTS = 300;
const LONG_LOOK = 2_000;
/** Texts are stored in id order: reading a hundred costs as much as looking up three items. */
const FIRST_TEXTS = 1_000;
const LONG_TEXTS = 10_000;
/** Up to this many index hits are looked up. If the index finds more, a scan in id order soon finds a page too. */
const FEW_TEXTS = 500;

/** Above this many workspaces, use the cross-workspace plans. */
export const FEW_WORKSPACES = 8;
const FEW_OF_PERSON = 1_000;

export interface Filters {
  given: readonly FilterName[];
  days: number | null;
  notes?: boolean;
  person?: boolean;
}

/** Plans in the order to try them. The last one has no budget. */
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

export function plansAcross(filters: Filters): SearchPlan[] {
  const { given, notes = false, person = false } = filters;
  const looks: SearchPlan[] = [
    ...(person ? [{ scan: 'person', budget: FEW_OF_PERSON } as const] : []),
    { scan: 'near', budget: LONG_LOOK },
    // Each text is one lookup and matches are rare, so a window would only add cost.
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
    // With no narrower filter, all index hits are read in one step.
    ...(alone || leads.some((lead) => !narrow(lead)) ? [{ scan: 'text', budget: FEW_TEXTS } as const] : []),
    ...(alone ? [{ scan: 'texts', budget: LONG_TEXTS } as const] : []),
    ...leads.filter((lead) => !narrow(lead)),
    { scan: 'text', budget: null },
  ];
}

/** Few items below are read completely. If they are many, a walk through the workspace soon finds a page of them. */
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
