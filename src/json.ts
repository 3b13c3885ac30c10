/** JSON that PostgreSQL has already written: adapters send it as it stands. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** For callers that need the value and not the text. */
  parse(): unknown {
    return JSON.parse(this.text);
  }
}

export function jsonTextOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** JSON that is known by a tag: whoever has it already need not be sent it again. */
export class TaggedJson {
  readonly tag: string;
  /** The text in order; null when the caller has it. */
  readonly pieces: readonly string[] | null;
  constructor(tag: string, pieces: readonly string[] | null) {
    this.tag = tag;
    this.pieces = pieces;
  }

  /** For callers that need the value and not the text. */
  parse(): unknown {
    return JSON.parse(this.pieces!.join(''));
  }
}
