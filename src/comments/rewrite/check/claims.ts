/** Compares the claims (doubt, denial, waiting, plans) of note and answer, clause by clause. Pure. */
import { classes, type MarkerClass } from './lexicon.ts';
import type { Clause } from './prose.ts';
import { type Stems, specific } from './words.ts';

export type ClaimFault = `${'lost' | 'new'}_${MarkerClass}`;

function union(sets: Iterable<Stems>): Stems {
  return new Set([...new Set(sets)].flatMap((set) => [...set]));
}

/** The first marker class that a clause of the note loses. 40 % of the clause's stems, 40 % of its unique stems and all of its identifiers
 *  must stay in marked clauses. "The API is not ready and the UI is" can't be reversed. */
export function lostClaim(before: Clause[], after: Clause[]): ClaimFault | undefined {
  const uses = Map.groupBy(
    before.flatMap(({ about }) => [...about]),
    (found) => found,
  );
  const lost = classes.find((kind) => {
    const marked = after.filter(({ marks }) => marks.has(kind));
    // "Maybe, …": a clause with only a marker applies to its whole sentence.
    const reach = union(marked.map(({ about, sentence }) => (about.size > 0 ? about : sentence)));
    const isKept = (part: Stems) => part.intersection(reach).size >= part.size * 0.4;
    return before.some(({ about, marks }) => {
      if (!marks.has(kind)) return false;
      const own = new Set([...about].filter((found) => uses.get(found)!.length === 1));
      const named = new Set([...about].filter((found) => specific.test(found)));
      return marked.length === 0 || !isKept(about) || !isKept(own) || !named.isSubsetOf(reach);
    });
  });
  return lost && `lost_${lost}`;
}

export function newClaim(before: Clause[], after: Clause[]): ClaimFault | undefined {
  const added = classes.find((kind) => {
    const marked = before.filter(({ marks }) => marks.has(kind));
    const known = union(marked.map(({ sentence }) => sentence));
    return after.some(({ about, marks }) => marks.has(kind) && (marked.length === 0 || (about.size > 0 && about.isDisjointFrom(known))));
  });
  return added && `new_${added}`;
}
