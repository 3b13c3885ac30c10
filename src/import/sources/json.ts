/** Reads the entries of lists in a JSON file one by one (behaviour §36.5). */
import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { InvalidRequest } from '../../values/errors.ts';
import { decoded, type Encoding } from './decode.ts';
import type { OpenSource } from './source.ts';

const MOST_ENTRY_BYTES = 8 * 1024 * 1024;
const MOST_DEPTH = 100;

export interface JsonEntry {
  /** The name of the list in its object; empty for a list that is the whole file. */
  list: string;
  value: unknown;
}

/** `paths`: such as `$.*` or `$.cards.*`. Other values are read and dropped. */
export async function* jsonEntries(open: OpenSource, encoding: Encoding, paths: string[]): AsyncGenerator<JsonEntry> {
  const entries = new Entries(paths);
  for await (const text of decoded(open, encoding)) {
    entries.write(text);
    yield* entries.take();
  }
  entries.end();
  yield* entries.take();
}

class Entries {
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 65_536 });
  readonly #parser: TokenParser;
  #found: JsonEntry[] = [];
  #depth = 0;
  readonly #entryDepth: number;
  #written = 0;
  /** Where the last token outside of entries was. */
  #outside = 0;
  /** Where the last token was. */
  #last = 0;

  constructor(paths: string[]) {
    this.#entryDepth = Math.max(...paths.map((path) => path.split('.').length - 1));
    this.#parser = new TokenParser({ paths, keepStack: false });
    this.#tokenizer.onToken = (token) => this.#add(token);
    this.#parser.onValue = ({ value, stack }) => {
      this.#found.push({ list: String(stack.at(-1)?.key ?? ''), value });
    };
  }

  write(text: string): void {
    try {
      this.#tokenizer.write(text);
    } catch (error) {
      throw error instanceof InvalidRequest ? error : this.#invalid();
    }
    this.#written += Buffer.byteLength(text);
    if (this.#written - this.#outside > MOST_ENTRY_BYTES)
      throw new InvalidRequest(
        [],
        `The file has an entry of more than 8 MiB after byte ${this.#outside.toLocaleString('en')}. Remove or split it.`,
      );
  }

  end(): void {
    if (!this.#parser.isEnded) throw new InvalidRequest([], 'The JSON ends too early. The file is incomplete; export or upload it again.');
  }

  take(): JsonEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #add(token: ParsedTokenInfo): void {
    this.#last = token.offset;
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) this.#depth++;
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) this.#depth--;
    if (this.#depth > MOST_DEPTH) throw new InvalidRequest([], `The JSON is nested more than ${MOST_DEPTH} levels deep. Export it again.`);
    if (this.#depth <= this.#entryDepth) this.#outside = token.offset;
    this.#parser.write(token);
  }

  #invalid(): InvalidRequest {
    return new InvalidRequest([], `The file is not valid JSON after byte ${this.#last.toLocaleString('en')}. Export it again.`);
  }
}
