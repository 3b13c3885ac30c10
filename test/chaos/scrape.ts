/** The processes' answers on /metrics at one moment. */

const TOKEN = 'a token of the operator';
export const METRICS_ENV = { METRICS_TOKEN: TOKEN, WORKER_PORT: '0' };
/** Prometheus' timeout. */
const SCRAPE_MS = 10_000;

export class Scrape {
  /** For each process, true if it answered. */
  readonly up: boolean[];
  readonly #samples: { series: string; value: number }[];

  private constructor(texts: (string | null)[]) {
    this.up = texts.map((text) => text !== null);
    this.#samples = texts
      .join('\n')
      .split('\n')
      .filter((line) => /^[a-z]/.test(line))
      .map((line) => ({ series: line.slice(0, line.lastIndexOf(' ')), value: Number(line.slice(line.lastIndexOf(' '))) }));
  }

  /** `baseUrls`: with the context path. */
  static async of(baseUrls: string[]): Promise<Scrape> {
    return new Scrape(await Promise.all(baseUrls.map(read)));
  }

  /** NaN without a sample: no comparison with it is true, as no alert fires in Prometheus. */
  max(series: string): number {
    const values = this.#values((each) => each === series);
    return values.length ? Math.max(...values) : Number.NaN;
  }

  sum(series: RegExp): number {
    return this.#values((each) => series.test(each)).reduce((sum, value) => sum + value, 0);
  }

  #values(fits: (series: string) => boolean): number[] {
    return this.#samples.filter(({ series }) => fits(series)).map(({ value }) => value);
  }
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
