// On phones a form shows at most five fields; a button shows the others (phone.css). Required and faulty fields are never folded.
import { all, each, type Field, isField, make } from './shared.ts';

const MOST = 5;

interface Labelled {
  label: HTMLLabelElement;
  control: Field;
}

function labelledIn(form: HTMLElement): Labelled[] {
  const labels = all<HTMLLabelElement>('label', form).filter(
    (one) => !one.classList.contains('vh') && !one.closest('table, details:not([open])'),
  );
  return labels.flatMap((label) => {
    const { control } = label;
    const isShown = isField(control) && control.checkVisibility() && !control.matches('[type="checkbox"], [type="radio"]');
    return isShown ? [{ label, control }] : [];
  });
}

const mustShow = ({ control }: Labelled) => control.required || control.getAttribute('aria-invalid') === 'true';

each('main form[method="post"]', (form) => {
  if ('folds' in form.dataset || 'unfolded' in form.dataset) return;
  const found = labelledIn(form);
  if (found.length <= MOST) return;
  const free = Math.max(0, MOST - found.filter(mustShow).length);
  const folded = found.filter((one) => !mustShow(one)).slice(free);
  const [first] = folded;
  if (!first) return;
  form.dataset.folds = '';
  for (const { label, control } of folded) (label.contains(control) ? label : (label.closest('.field') ?? label)).classList.add('folded');
  const more = make('button', { type: 'button', class: 'btn quiet more-folded', 'aria-expanded': 'false' }, 'More fields');
  more.addEventListener('click', () => {
    delete form.dataset.folds;
    form.dataset.unfolded = '';
    form.querySelector<HTMLElement>('.folded :is(input, select, textarea)')?.focus();
    more.remove();
  });
  (first.label.closest('.field, label') ?? first.label).before(more);
});
// The browser can't show why a folded field stops the form.
document.addEventListener(
  'invalid',
  ({ target }) => isField(target) && target.form?.querySelector<HTMLElement>('.more-folded')?.click(),
  true,
);
