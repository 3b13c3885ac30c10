import { baseName, countCharacters, firstCharacters, isVisible } from '../values/text.ts';

const MOST_CHARACTERS = 200;
const MOST_EXTENSION = 20;

/** The file name without folders, control characters and text direction marks; never empty. A long name keeps its extension. */
export function fileName(given: string): string {
  const name = baseName(given);
  if (!isVisible(name)) return 'attachment';
  if (countCharacters(name) <= MOST_CHARACTERS) return name;
  const [extension = ''] = /\.[^.\s]+$/.exec(name) ?? [];
  const kept = countCharacters(extension) <= MOST_EXTENSION ? extension : '';
  return firstCharacters(name, MOST_CHARACTERS - countCharacters(kept)) + kept;
}
