// On phones a form shows at most five fields; a button shows the others (phone.css). Required and faulty fields are never folded.
import { each, make } from './shared.ts';

const MOST = 5;
const isField = ({ control, classList }) =>
  control?.checkVisibility() && !control.matches('[type="checkbox"], [type="radio"]') && !classList.contains('vh');
const mustShow = ({ control }) => control.required || control.getAttribute('aria-invalid') === 'true';

each('main form[method="post"]', (form) => {
  if ('folds' in form.dataset || 'unfolded' in form.dataset) return;
  const labels = [...form.querySelectorAll('label')].filter((one) => isField(one) && !one.closest('table, details:not([open])'));
  if (labels.length <= MOST) return;
  const free = Math.max(0, MOST - labels.filter(mustShow).length);
  const folded = labels.filter((one) => !mustShow(one)).slice(free);
  if (folded.length === 0) return;
  form.dataset.folds = '';
  for (const one of folded) (one.contains(one.control) ? one : (one.closest('.field') ?? one)).classList.add('folded');
  const more = make('button', { type: 'button', class: 'btn quiet more-folded', 'aria-expanded': 'false' }, 'More fields');
  more.addEventListener('click', () => {
    delete form.dataset.folds;
    form.dataset.unfolded = '';
    form.querySelector('.folded :is(input, select, textarea)')?.focus();
    more.remove();
  });
  (folded[0].closest('.field, label') ?? folded[0]).before(more);
});
// The browser can't show why a folded field stops the form.
document.addEventListener('invalid', ({ target }) => target.form?.querySelector('.more-folded')?.click(), true);
