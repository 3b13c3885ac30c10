import { VersionConflict } from '../../values/errors.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { formLabels } from './form.ts';
import { openItem } from './open.ts';
import { showItem } from './show.ts';
import { whoChanged } from './whoChanged.ts';

/** For version conflicts; the page shows the stored version. */
const movedOn = (who: string) => `${who} changed this item since you opened it. Check the current version below, then decide.`;

export const formRefusal = (request: PageRequest) => ({
  labels: formLabels,
  async again(refusal: Refusal): Promise<Answer> {
    if (!(refusal.error instanceof VersionConflict)) return showItem(request, refusal);
    const { history } = await openItem(request);
    return showItem(request, { ...refusal, problem: movedOn(whoChanged(history.changes, request.form.number('version') ?? 0)) });
  },
});
