import { each } from './shared.ts';

const two = (number) => String(number).padStart(2, '0');
function show(clock) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(clock.dataset.since)) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const text =
    'seconds' in clock.dataset ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : hours ? `${hours} h ${two(minutes)}` : `${minutes} min`;
  if (clock.textContent !== text) clock.textContent = text;
}
const all = () => document.querySelectorAll('time[data-since]').forEach(show);
each('time[data-since]', show);
setInterval(all, 1000);
