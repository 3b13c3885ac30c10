// One event stream per browser: a visible page holds it and tells the others. If streaming fails or the server is full, each page polls.
import { follow, type StreamData } from './follow.ts';
import { base } from './shared.ts';

const [FIRST_MS, SILENCE_MS, POLL_MS, REST_S] = [8_000, 50_000, 10_000, 300];
const name = `stint-live ${base} ${follow?.user}`;
const pages = new BroadcastChannel(name);

function tell(event: string, data: StreamData): void {
  pages.postMessage({ name: event, data });
  follow?.hear(event, data);
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const clock = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(clearTimeout(clock)), { once: true });
  });

let place = '';
let begun = false;

function take(block: string): void {
  const lines = block.split('\n');
  const fields: Record<string, string> = Object.fromEntries(
    lines.map((line) => [line.split(':', 1).join(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (fields.id) place = fields.id;
  const data: StreamData = JSON.parse(fields.data || '{}');
  if (fields.event === 'hello') {
    begun = true;
    // Other pages may have missed events.
    pages.postMessage({ name: 'check', data: {} });
    if (data.changed) follow?.hear('check', {});
    tell('own', data);
  } else if (fields.event !== 'beat') tell(fields.event ?? '', data);
}

// Resolves when the stream ends. `wait`: seconds before a retry makes sense; `gone`: not signed in.
async function listen(signal: AbortSignal): Promise<{ wait?: number; gone?: boolean }> {
  const silence = new AbortController();
  let clock = setTimeout(() => silence.abort(), FIRST_MS);
  try {
    const answer = await fetch(`${base}/live`, {
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': place },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (answer.status === 401) return { gone: true };
    if (!answer.ok || !answer.body || !answer.headers.get('Content-Type')?.startsWith('text/event-stream'))
      return { wait: Number(answer.headers.get('Retry-After')) || 60 };
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return {};
      clearTimeout(clock);
      clock = setTimeout(() => silence.abort(), SILENCE_MS);
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  } catch {
    return {};
  } finally {
    clearTimeout(clock);
  }
}

async function poll(seconds: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  while (!signal.aborted && performance.now() < until) {
    await pause(POLL_MS * (0.8 + Math.random() * 0.4), signal);
    if (!signal.aborted) tell('check', {});
  }
}

async function lead(signal: AbortSignal): Promise<void> {
  place = follow?.place() ?? '';
  for (let short = 0; !signal.aborted; ) {
    const since = performance.now();
    begun = false;
    const { gone, wait } = await listen(signal);
    if (gone) return;
    // Without a hello event, changes may have been missed.
    if (!begun && !signal.aborted) tell('check', {});
    short = performance.now() - since > 60_000 ? 0 : short + 1;
    if (wait || short > 2) {
      await poll(wait ?? REST_S, signal);
      short = 0;
    } else await pause(500 + Math.random() * 2_500, signal);
  }
}

let seen: AbortController | null = null;
function streamWhileVisible() {
  if (document.hidden) {
    seen?.abort();
    seen = null;
    return;
  }
  if (seen) return;
  seen = new AbortController();
  const { signal } = seen;
  // Only in secure contexts.
  if (navigator.locks) navigator.locks.request(name, { signal }, () => lead(signal)).catch(() => {});
  else poll(Number.POSITIVE_INFINITY, signal);
}
if (follow) {
  pages.addEventListener('message', ({ data }) => follow?.hear(data.name, data.data));
  document.addEventListener('visibilitychange', streamWhileVisible);
  window.addEventListener('pagehide', () => {
    seen?.abort();
    seen = null;
  });
  streamWhileVisible();
}
