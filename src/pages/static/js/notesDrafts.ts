// Unsaved texts in localStorage: encrypted with the user's key; encrypted notes as ciphertext; locked notes never (behaviour §29.3).
import { seal, unseal } from './notesCipher.ts';

const DAYS = 30;
// Slot '+' holds a new draft while an earlier one is still offered.
const nameOf = ({ user, note }, slot = '') => `stint-note/${user}/${note}${slot}`;
/** Storage may be full, disabled or missing (no https). Then no draft is kept, and leaving the page asks first. */
const quietly = async (work) => {
  try {
    return await work();
  } catch {
    return null;
  }
};

/** Without `slot` both drafts are deleted. */
export function dropDraft(place, slot?: string) {
  for (const one of slot === undefined ? ['', '+'] : [slot]) quietly(() => localStorage.removeItem(nameOf(place, one)));
}

/** Returns true if stored. `data`: dataset of the form. `wanted`: checked again after encryption. */
export const keepDraft = async (data, draft, { slot, wanted = () => true }: { slot?: string; wanted?: () => boolean } = {}) =>
  (await quietly(async () => {
    const name = nameOf(data, slot);
    const at = Date.now();
    const content = data.kind === 'encrypted' ? { cipher: draft.cipher } : { sealed: await seal(draft, data.drafts.split(' ')[0], name) };
    if (!wanted()) return false;
    localStorage.setItem(name, JSON.stringify({ at, revision: draft.revision, ...content }));
    return true;
  })) ?? false;

const read = (data, slot) =>
  quietly(async () => {
    const name = nameOf(data, slot);
    const kept = JSON.parse(localStorage.getItem(name));
    if (!kept) return null;
    if (kept.cipher) return { ...kept, slot };
    const draft = data.drafts && (await unseal(kept.sealed, data.drafts.split(' '), name));
    return draft && { ...draft, at: kept.at, slot };
  });
/** {html or cipher, folderId, revision, at, slot}, or null. */
export const findDraft = async (data) => (await read(data, '')) ?? read(data, '+');

quietly(() => {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith('stint-note/')) continue;
    const { at = 0 } = JSON.parse(localStorage.getItem(name));
    if (Date.now() - at > DAYS * 86_400_000) localStorage.removeItem(name);
  }
});
