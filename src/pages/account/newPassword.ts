import type { Fields } from '../frame/fields.ts';
import { html } from '../frame/html.ts';

/** Always empty when the form is shown again. */
export const newPasswordField = (fields: Fields) =>
  fields.field(
    'password',
    (mark) => html`<input type="password" name="password" required minlength="10" maxlength="1024" autocomplete="new-password"${mark}>`,
    'At least 10 characters and hard to guess, such as a few unrelated words.',
  );
