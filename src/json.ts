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
