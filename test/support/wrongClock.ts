/** Preloaded into a process (`NODE_OPTIONS=--import=…`): shifts its clock by CLOCK_OFFSET_MS. */
const offset = Number(process.env.CLOCK_OFFSET_MS);
const RightDate = Date;

globalThis.Date = class extends RightDate {
  constructor(...given: unknown[]) {
    // biome-ignore lint/suspicious/noExplicitAny: any of Date's overloads
    super(...((given.length > 0 ? given : [RightDate.now() + offset]) as [any]));
  }

  static override now(): number {
    return RightDate.now() + offset;
  }
} as DateConstructor;
