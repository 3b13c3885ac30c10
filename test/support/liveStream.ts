/** The stream of events, as a browser reads it. */
import { eventually } from './eventually.ts';

export interface LiveEvent {
  id?: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, looked into freely
  data: any;
}

export interface LiveStream {
  status: number;
  headers: Headers;
  /** All so far. */
  events: LiveEvent[];
  /** The first event with this name from index `from` on, waiting for it if needed. */
  next(name: string, from?: number): Promise<LiveEvent>;
  /** Resolves when the server ended it. */
  ended: Promise<void>;
  close(): void;
}

function eventsIn(text: string): LiveEvent[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const { id, event, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)));
      return { ...(id && { id }), name: event, data: JSON.parse(data) };
    });
}

export async function openLive(baseUrl: string, headers: Record<string, string>): Promise<LiveStream> {
  const closing = new AbortController();
  const answer = await fetch(`${baseUrl}/live`, { headers, signal: closing.signal });
  const events: LiveEvent[] = [];
  const read = async () => {
    let rest = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const end = (rest + piece).lastIndexOf('\n\n') + 2;
      if (answer.status === 200) events.push(...eventsIn((rest + piece).slice(0, end)));
      rest = (rest + piece).slice(end);
    }
  };
  const find = (name: string, from: number) => events.slice(from).find((event) => event.name === name);
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    async next(name, from = 0) {
      const found = await eventually(
        async () => find(name, from),
        (event) => event !== undefined,
      );
      if (!found) throw new Error(`No ${name} in ${JSON.stringify(events)}`);
      return found;
    },
    ended: read().catch(() => {}),
    close: () => closing.abort(),
  };
}
