/** A PostgreSQL that keeps its word (fsync and all), and can be stopped, or shot, and started again on the same files. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';
import { temporaryFolder } from '../support/disposable.ts';

export class Postgres {
  readonly log: string[] = [];
  /** Ends that nobody asked for. */
  readonly unasked: string[] = [];
  readonly #above: string;
  #server!: Embedded;
  #ending = false;

  private constructor(above: string) {
    this.#above = above;
  }

  static async start(): Promise<Postgres> {
    const postgres = new Postgres(temporaryFolder());
    await postgres.#launch();
    return postgres;
  }

  /** Of the database itself, past every proxy. It changes with a restart. */
  get url(): string {
    return this.#server.url;
  }

  /** `stop`: open transactions are rolled back. `crash`: SIGKILL; what was acknowledged has to be in the write-ahead log. */
  async restart(how: 'stop' | 'crash'): Promise<void> {
    this.#ending = true;
    if (how === 'crash') {
      process.kill(this.#server.pid, 'SIGKILL');
      await this.#server.exited;
    }
    await this.#server.stop();
    await this.#launch();
  }

  /** Rows of one statement, on a connection of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: rows, looked into freely
  async rows(text: string, values: unknown[] = []): Promise<any[]> {
    const client = new pg.Client({ connectionString: this.url, query_timeout: 60_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#server.stop();
    await rm(this.#above, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  async #launch(): Promise<void> {
    this.#ending = false;
    const server = await startEmbedded(join(this.#above, 'postgres'), { onLog: (line) => this.log.push(line) });
    this.#server = server;
    void server.exited.then((tail) => {
      if (this.#server === server && !this.#ending) this.unasked.push(`PostgreSQL: ${tail.slice(-500)}`);
    });
  }
}
