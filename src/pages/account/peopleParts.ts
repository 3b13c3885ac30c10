import { accountRoles } from '../../accounts/schema.ts';
import type { PersonLine } from '../../overviews/people.ts';
import { askedFirst } from '../frame/confirm.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { asks } from '../frame/postForm.ts';
import { withPasswordConfirmation } from './confirmed.ts';

export const PATH = '/settings/people';
export const labels: Labels = {
  name: 'Name',
  email: 'Email',
  kind: 'Kind',
  accountRole: 'Role',
  timezone: 'Time zone',
  weeklyHours: 'Hours a week',
  addresses: 'Addresses',
  workspaces: 'Workspaces',
  userId: '',
  user: '',
};

/** Null for ordinary active users. */
export function stateOf({ active, kind, canSignIn, erased }: Pick<PersonLine, 'active' | 'kind' | 'canSignIn' | 'erased'>): string | null {
  if (erased) return 'erased';
  if (!active) return 'deactivated';
  if (kind === 'service') return 'service user';
  return canSignIn ? null : 'no password yet';
}

/** Asks before making a person an administrator or owner. */
function roleQuestion(role: string, whom: string): string | null {
  if (role === 'owner') return `Make ${whom} an owner? Owners can do everything in the account, including changing your role.`;
  if (role === 'admin') return `Make ${whom} an administrator? Administrators manage all workspaces, invite people and see the audit.`;
  return null;
}

const order: readonly string[] = accountRoles;
const ownQuestion = (role: string, now: string): string | null =>
  order.indexOf(role) > order.indexOf(now)
    ? `Make yourself ${role === 'admin' ? 'an administrator' : 'a member'}? You cannot undo this yourself.`
    : null;

interface RoleSelect {
  /** The reader may appoint owners. */
  owner: boolean;
  now: string;
  whom: string;
  mark: Content;
  /** The reader's own role. */
  own?: boolean;
}

export function roleSelect(fields: Fields, { owner, now, whom, mark, own }: RoleSelect): Content {
  const chosen = fields.value('accountRole', now);
  const offered = accountRoles.filter((role) => owner || role !== 'owner').toReversed();
  return html`<select name="accountRole"${mark}>${offered.map((role) => {
    const question = role !== now && (own ? ownQuestion(role, now) : roleQuestion(role, whom));
    return html`<option value="${role}"${role === chosen && html` selected`}${question && html` data-ask="${question}"`}>${role}</option>`;
  })}</select>${asks}`;
}

const makesAdministrator = (form: Form): boolean => form.text('accountRole') !== 'member';

export const confirmRoleChange = (handle: (request: PageRequest) => Promise<Answer>, whom: (form: Form) => string) =>
  askedFirst(withPasswordConfirmation(handle, makesAdministrator), ({ form, user }) =>
    form.has('userId') && form.id('userId') === user.id
      ? ownQuestion(form.text('accountRole'), user.accountRole)
      : roleQuestion(form.text('accountRole'), whom(form)),
  );
