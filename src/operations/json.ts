export class JsonText<Output> {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  parse(): Output {
    return JSON.parse(this.text);
  }
}

export type Result<Output> = Output | JsonText<Output>;

export const jsonTextOf = <Output>(result: Result<Output>): string => (result instanceof JsonText ? result.text : JSON.stringify(result));

export const outputOf = <Output>(result: Result<Output>): Output => (result instanceof JsonText ? result.parse() : result);

/** JSON with a tag. A caller who has this tag does not need the text again. */
export class TaggedJson<Output> {
  readonly tag: string;
  /** The beginning or all of the text; null if the caller has it. */
  readonly pieces: readonly string[] | null;
  readonly rest: AsyncIterable<string> | null;

  constructor(tag: string, pieces: readonly string[] | null, rest: AsyncIterable<string> | null = null) {
    this.tag = tag;
    this.pieces = pieces;
    this.rest = rest;
  }

  async *all(): AsyncGenerator<string> {
    yield* this.pieces ?? [];
    if (this.rest) yield* this.rest;
  }

  /** For callers that need the value; undefined if the text exceeds `most` characters. */
  async parse(most: number): Promise<Output | undefined> {
    let text = '';
    for await (const piece of this.all()) {
      text += piece;
      if (text.length > most) return undefined;
    }
    return JSON.parse(text);
  }
}
