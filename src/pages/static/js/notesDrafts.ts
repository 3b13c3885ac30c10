// Unsaved texts in localStorage: encrypted with the user's key; encrypted notes as ciphertext; locked notes never (behaviour §29.3).
import { type Place, seal, unseal } from './notesCipher.ts';

/** `cipher`: the text of an encrypted note. */
interface Draft {
  html?: string;
  cipher?: string;
  folderId?: string;
  revision: string;
  once?: string | undefined;
}
export interface KeptDraft extends Draft {
  at: number;
  slot: string;
}

const DAYS = 30;
// Slot '+' holds a new draft while an earlier one is still offered.
const nameOf = ({ user, note }: Place, slot = '') => `stint-note/${user}/${note}${slot}`;
/** Storage may be full, disabled or missing (no https). Then no draft is kept, and leaving the page asks first. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

/** Without `slot` both drafts are deleted. */
export function dropDraft(place: Place, slot?: string): void {
  for (const one of slot === undefined ? ['', '+'] : [slot]) quietly(() => localStorage.removeItem(nameOf(place, one)));
}

/** Returns true if stored. `data`: dataset of the form. `wanted`: checked again after encryption. */
export const keepDraft = async (
  data: Place,
  draft: Draft,
  { slot, wanted = () => true }: { slot?: string; wanted?: () => boolean } = {},
): Promise<boolean> =>
  (await quietly(async () => {
    const name = nameOf(data, slot);
    const at = Date.now();
    const [key = ''] = (data.drafts ?? '').split(' ');
    const content = data.kind === 'encrypted' ? { cipher: draft.cipher } : { sealed: await seal(draft, key, name) };
    if (!wanted()) return false;
    localStorage.setItem(name, JSON.stringify({ at, revision: draft.revision, ...content }));
    return true;
  })) ?? false;

const read = (data: Place, slot: string): Promise<KeptDraft | null> =>
  quietly(async () => {
    const name = nameOf(data, slot);
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null');
    if (!kept) return null;
    if (kept.cipher) return { ...kept, slot };
    const draft = data.drafts && (await unseal(kept.sealed, data.drafts.split(' '), name));
    return draft && { ...draft, at: kept.at, slot };
  });
export const findDraft = async (data: Place): Promise<KeptDraft | null> => (await read(data, '')) ?? read(data, '+');

quietly(() => {
  for (const [name, text] of Object.entries<string>(localStorage)) {
    if (!name.startsWith('stint-note/')) continue;
    const { at = 0 } = JSON.parse(text);
    if (Date.now() - at > DAYS * 86_400_000) localStorage.removeItem(name);
  }
});
