/** The field for the item of an entry or plan: a number or words. If several items match, the choice is shown in the same form (behaviour
 *  §20.5). */

import type { z } from 'zod';
import { parseInput } from '../../operations/input.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Choice, workForTime } from '../../overviews/workForTime.ts';
import { type Fault, Forbidden, InvalidRequest } from '../../values/errors.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import type { Refusal } from '../frame/submitted.ts';
import { type MyData, mayIn, type Recorded } from './landing.ts';

/** Several or no items match. */
export class WhichWork extends InvalidRequest {
  readonly choices: readonly Choice[];
  readonly #whatToDo: string;
  constructor(whatToDo: string, choices: readonly Choice[], ...beside: readonly Fault[]) {
    super(['work'], whatToDo, ...beside);
    this.#whatToDo = whatToDo;
    this.choices = choices;
  }

  beside(others: readonly Fault[]): WhichWork {
    return new WhichWork(this.#whatToDo, this.choices, ...others);
  }
}

/** Adds `itemId` to the form's values. Throws all errors together. */
export async function withWork<Input>(
  request: PageRequest,
  kind: Recorded,
  { input }: Pick<Operation<Input, unknown>, 'input'>,
  values: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  try {
    return { ...values, itemId: await workIn(request, kind) };
  } catch (error) {
    throw error instanceof WhichWork ? error.beside(faultsIn(input, { ...values, itemId: 1 })) : error;
  }
}

function faultsIn<Input>(schema: z.ZodType<Input>, values: unknown): readonly Fault[] {
  try {
    parseInput(schema, values);
    return [];
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults;
    throw error;
  }
}

/** Id of the item: chosen, by number or by words. Throws WhichWork, Forbidden. */
async function workIn(request: PageRequest, kind: Recorded): Promise<number> {
  const { form } = request;
  if (form.id('itemId')) return form.id('itemId');
  return workNamed(request, kind, form.text('work'));
}

/** Id of the item with this number or these words. Throws WhichWork, Forbidden. */
export async function workNamed(request: PageRequest, kind: Recorded, text: string): Promise<number> {
  const typed = text.slice(0, 300);
  if (!typed) throw new WhichWork('choose an item: type its number after #, or words of its title.', []);
  const number = Number(/^#?(\d{1,15})(?=\s|$)/.exec(typed)?.[1] ?? 0);
  const numbered = number ? await call(request, workForTime, { id: number, words: '', kind }) : null;
  if (numbered?.work && isCalled(numbered.work, typed)) return numbered.work.id;
  const { work, choices, found } = await call(request, workForTime, { id: null, words: typed.replace(/^#/, ''), kind });
  if (work) return work.id;
  if (found) throw new WhichWork('several items match. Choose one.', choices);
  if (/^#?\d+$/.test(typed)) throw new Forbidden();
  throw new WhichWork('no open item matches. Choose one, or type its number.', choices);
}

/** True for `33`, or for a suggestion: titles may also start with a number. */
const isCalled = ({ id, title }: Choice, typed: string): boolean =>
  typed.replace(/^#/, '') === String(id) ||
  typed.replace(/^#/, '').toLowerCase() === offered({ id, title }).toLowerCase() ||
  typed.startsWith('#');

const offered = ({ id, title }: Pick<Choice, 'id' | 'title'>) => `${id} ${title}`;

/** The datalist of these fields; needed once per page. */
export const workOffers = (data: Pick<MyData, 'choices' | 'rights'>, kind: Recorded): Content =>
  html`<datalist id="offers-${kind}">${data.choices
    .filter(({ workspaceId }) => mayIn(data, kind, workspaceId))
    .map((choice) => html`<option value="${offered(choice)}">${choice.workspace}</option>`)}</datalist>`;

export function workField(fields: Fields, data: MyData, kind: Recorded, refusal?: Refusal): Content {
  const { chosen } = data;
  const usual = chosen && mayIn(data, kind, chosen.workspaceId) ? offered(chosen) : '';
  const input = (mark: Content) =>
    html`<input name="work" value="${fields.value('work', usual)}" maxlength="300" list="offers-${kind}" placeholder="# and number, or words of its title" autocomplete="off"${mark}>`;
  const which = fields.refused && refusal?.error instanceof WhichWork ? refusal.error.choices : [];
  return html`${fields.field('work', input)}${workChoices('itemId', which)}`;
}

/** `name`: of the radio buttons. */
export const workChoices = (name: string, choices: readonly Choice[]): Content =>
  choices.length > 0 &&
  html`<fieldset class="which"><legend class="vh">Choose an item</legend>${choices.map(
    (one) =>
      html`<label><input type="radio" name="${name}" value="${one.id}" autocomplete="off"> ${offered(one)} <span class="meta">${one.workspace}</span></label>`,
  )}</fieldset>`;
