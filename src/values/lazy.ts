/** What is made when it is first asked for, and kept: with what it is first asked with, so that must be the same each time. */
export function lazy<Props extends unknown[], Made extends object>(make: (...props: Props) => Made): (...props: Props) => Made {
  let made: Made | undefined;
  return (...props) => (made ??= make(...props));
}
