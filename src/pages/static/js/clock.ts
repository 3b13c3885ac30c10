import { all, each } from './shared.ts';

const two = (number: number) => String(number).padStart(2, '0');

function show(clock: HTMLElement): void {
  const { since = '', seconds: hasSeconds } = clock.dataset;
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const words = hours ? `${hours} h ${two(minutes)}` : `${minutes} min`;
  const text = hasSeconds === undefined ? words : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  if (clock.textContent !== text) clock.textContent = text;
}

const CLOCKS = 'time[data-since]';
each(CLOCKS, show);
setInterval(() => all(CLOCKS).forEach(show), 1000);
