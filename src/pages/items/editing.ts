import { Forbidden } from '../../values/errors.ts';
import { fullName } from '../frame/components/avatar.ts';
import type { PageRequest } from '../frame/page.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { type FormName, namesOf } from './fields.ts';
import type { Choices } from './form.ts';
import { hiddenFields } from './new.ts';
import { openForEditing } from './pageOf.ts';

export interface Editing extends Omit<Awaited<ReturnType<typeof openForEditing>>, 'choices'> {
  choices: Choices;
  without: FormName[];
  names: FormName[];
}

/** An item that the user may change, with the choices of its fields. Throws Forbidden. */
export async function openEditing(request: PageRequest): Promise<Editing> {
  const opened = await openForEditing(request);
  const { workspace, item, context, options } = opened;
  if (!mayWork(workspace, item.type, 'write')) throw new Forbidden();
  const without = hiddenFields(workspace);
  const { links, owner, assignee } = context;
  const choices: Choices = {
    type: item.type,
    options,
    targets: opened.choices,
    stored: item,
    links,
    ownerName: owner && fullName(owner),
    assigneeName: assignee && fullName(assignee),
    at: workspace.at,
    search: `${request.basePath}/search`,
  };
  return { ...opened, choices, without, names: namesOf(item.type, without) };
}
