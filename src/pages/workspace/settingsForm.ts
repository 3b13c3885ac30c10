/** Runs the operation of a settings form and returns to its card. */
import type { Operation } from '../../operations/operation.ts';
import type { SettingsPart } from '../../overviews/workspaceSettings.ts';
import type { Form } from '../frame/forms.ts';
import type { Answer, PageRequest, PrivateRoute } from '../frame/page.ts';
import { submitted } from '../frame/submitted.ts';
import { type Refused, settingsLabels } from './settingsData.ts';

/** The settings part, the card, and the page that shows a refusal. */
export interface FormPlace {
  part: SettingsPart;
  card: string;
  show(request: PageRequest, refused: Refused): Promise<Answer>;
}

export function settingsForm<Input, Output>(
  path: string,
  operation: Operation<Input, Output>,
  input: (form: Form) => object,
  { part, card, show }: FormPlace,
  notice = 'saved',
): PrivateRoute {
  return {
    method: 'POST',
    path: `/workspaces/:id/settings/${path}`,
    handle: (request) =>
      submitted(request, operation, (sent) => ({ workspaceId: Number(request.params.id), ...input(sent) }), {
        done: () => ({ redirect: `/workspaces/${request.params.id}/settings/${part}#${card}`, notice }),
        labels: settingsLabels,
        again: (refusal) => show(request, { refusal, card }),
      }),
  };
}

export const texts = (sent: Form, ...names: string[]) => Object.fromEntries(names.map((name) => [name, sent.text(name)]));
