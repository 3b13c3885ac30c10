/** JSON that PostgreSQL has already written: adapters send it as it stands. */
export class JsonText<Output> {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** For callers that need the value and not the text. */
  parse(): Output {
    return JSON.parse(this.text);
  }
}

/** A result as an operation gives it: the value, or its JSON where PostgreSQL has written that. */
export type Result<Output> = Output | JsonText<Output>;

export const jsonTextOf = <Output>(result: Result<Output>): string => (result instanceof JsonText ? result.text : JSON.stringify(result));

export const outputOf = <Output>(result: Result<Output>): Output => (result instanceof JsonText ? result.parse() : result);

/** JSON that is known by a tag: whoever has it already need not be sent it again. */
export class TaggedJson<Output> {
  readonly tag: string;
  /** The beginning of the text, in order, or all of it; null when the caller has it. */
  readonly pieces: readonly string[] | null;
  /** What follows, fetched as it is taken; null when there is no more. */
  readonly rest: AsyncIterable<string> | null;

  constructor(tag: string, pieces: readonly string[] | null, rest: AsyncIterable<string> | null = null) {
    this.tag = tag;
    this.pieces = pieces;
    this.rest = rest;
  }

  async *all(): AsyncGenerator<string> {
    yield* this.pieces!;
    if (this.rest) yield* this.rest;
  }

  /** For callers that need the value and not the text; undefined where that is longer than `most` characters. */
  async parse(most: number): Promise<Output | undefined> {
    let text = '';
    for await (const piece of this.all()) {
      text += piece;
      if (text.length > most) return undefined;
    }
    return JSON.parse(text);
  }
}
