/** Creates a value at the first call and keeps it. Later arguments are ignored, so they must be the same. */
export function lazy<Props extends unknown[], Made extends object>(make: (...props: Props) => Made): (...props: Props) => Made {
  let made: Made | undefined;
  return (...props) => (made ??= make(...props));
}
