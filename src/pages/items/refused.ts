/** What is refused on an item's page is told there, as the item is by then. */
import { VersionConflict } from '../../values/errors.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { formLabels } from './form.ts';
import { openItem } from './open.ts';
import { showItem } from './show.ts';
import { whoChanged } from './whoChanged.ts';

/** Said by the version that was sent, and what is stored now. */
const movedOn = (who: string) =>
  `${who} has changed this in the meantime. This is what it looks like now: look at it again, and then decide.`;

export const refusedOn = (request: PageRequest) => ({
  labels: formLabels,
  async again(refusal: Refusal): Promise<Answer> {
    if (!(refusal.error instanceof VersionConflict)) return showItem(request, refusal);
    const { history } = await openItem(request);
    return showItem(request, { ...refusal, problem: movedOn(whoChanged(history.changes, request.form.number('version') ?? 0)) });
  },
});
