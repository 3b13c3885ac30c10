// keepTyped(page): protects unsaved input before a swap. Returns a function that ends this, or null if the new page lacks such a
// form.
const parts = '#head, #timer, #work, #beside';
const typed = 'input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"]), textarea';
const isDirty = (field) =>
  field.matches('select') ? [...field.options].some((one) => one.selected !== one.defaultSelected) : field.value !== field.defaultValue;

const inParts = (selector) => [...document.querySelectorAll(parts)].flatMap((part) => [...part.querySelectorAll(selector)]);
const fields = () =>
  inParts(`${typed}, select`).filter(
    (one) => (one.matches('select') && isDirty(one)) || one === document.activeElement || (one.matches(typed) && isDirty(one)),
  );
const ticked = () => inParts('input[type="checkbox"], input[type="radio"]').some((one) => one.checked !== one.defaultChecked);

const sameForms = (root, form) =>
  [...root.querySelectorAll(`form[action="${CSS.escape(form.getAttribute('action') ?? '')}"]`)].filter((one) => one.closest(parts));

function counterpart(page, form) {
  if (form.id) return page.getElementById(form.id);
  const [here, there] = [sameForms(document, form), sameForms(page, form)];
  return here.length === there.length ? there[here.indexOf(form)] : null;
}

export const isTicked = ticked;
export const keepTyped = (page) => {
  const kept = [...new Set([...fields().map(({ form }) => form), ...inParts('form[data-editing]')])];
  const undo = [];
  const release = () => {
    for (const one of undo) one();
  };
  for (const [n, form] of kept.entries()) {
    const other = form && counterpart(page, form);
    if (!other) {
      release();
      return null;
    }
    if (!form.id) {
      form.id = `kept-${n}`;
      other.id = form.id;
      undo.push(() => form.removeAttribute('id'));
    }
    form.setAttribute('hx-morph-skip', '');
    undo.push(() => form.removeAttribute('hx-morph-skip'));
  }
  return release;
};
