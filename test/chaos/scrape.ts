/** The processes' answers on /metrics at one moment. */

const TOKEN = 'a token of the operator';
export const METRICS_ENV = { METRICS_TOKEN: TOKEN, WORKER_PORT: '0' };
/** Prometheus' timeout. */
const SCRAPE_MS = 10_000;

export type Scrape = Awaited<ReturnType<typeof scrape>>;

/** `baseUrls`: with the context path. */
export async function scrape(baseUrls: string[]) {
  const texts = await Promise.all(baseUrls.map(read));
  const samples = texts
    .flatMap((text) => text?.match(/^[a-z].*/gm) ?? [])
    .map((line) => ({ series: line.slice(0, line.lastIndexOf(' ')), value: Number(line.slice(line.lastIndexOf(' '))) }));
  return {
    /** For each process, true if it answered. */
    up: texts.map((text) => text !== null),
    /** NaN without a sample: no comparison with it is true, as no alert fires in Prometheus. */
    max(wanted: string): number {
      const values = samples.filter(({ series }) => series === wanted).map(({ value }) => value);
      return values.length ? Math.max(...values) : Number.NaN;
    },
    sum: (wanted: RegExp): number => samples.filter(({ series }) => wanted.test(series)).reduce((sum, { value }) => sum + value, 0),
  };
}

async function read(baseUrl: string): Promise<string | null> {
  try {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${baseUrl}/metrics`, { headers, signal: AbortSignal.timeout(SCRAPE_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
