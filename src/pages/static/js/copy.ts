// Buttons that copy the text of another element; hidden without script.
import { each } from './shared.ts';

each('button[data-copy]', (button) => {
  button.hidden = false;
});
document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('button[data-copy]');
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  await navigator.clipboard.writeText(source.textContent.trim());
  button.textContent = 'Copied';
});
