// Buttons that copy the text of another element; hidden without script.
import { around, each } from './shared.ts';

each('button[data-copy]', (button) => {
  button.hidden = false;
});
document.addEventListener('click', async ({ target }) => {
  const button = around(target, 'button[data-copy]');
  const source = document.getElementById(button?.dataset.copy ?? '');
  if (!button || !source) return;
  await navigator.clipboard.writeText(source.textContent.trim());
  button.textContent = 'Copied';
});
