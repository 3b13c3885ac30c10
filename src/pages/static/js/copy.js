// Buttons that copy what stands in another element; without script they are not there.
(() => {
  stint.each('button[data-copy]', (button) => {
    button.hidden = false;
  });
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('button[data-copy]');
    const source = button && document.getElementById(button.dataset.copy);
    if (!source) return;
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = 'Copied';
  });
})();
