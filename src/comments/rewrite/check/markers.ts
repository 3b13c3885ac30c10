/** The words by which a note says that something is uncertain, denied, conditional, wrong, in the way or still to come. Pure lists:
 *  `claims.ts` reads them. Apostrophes are straight, everything is lower case. Besides English, the commonest words of a few
 *  other languages, so that "nicht" can't vanish either. */

export type MarkerClass = 'hedge' | 'duty' | 'condition' | 'negation' | 'part' | 'problem' | 'blocker' | 'next';

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const lists: Record<MarkerClass, string[]> = {
  hedge: words(`may might could maybe perhaps possibly possible possibility potential potentially probably probable likely
    unlikely presumably seem seems seemed seemingly appear appears appeared apparently suspect suspected suspects suspicion think thinks
    thought believe believes believed guess guessing assume assumes assumed assumption unsure uncertain uncertainty unclear
    unknown unconfirmed unverified doubt doubts doubtful hopefully hope tentative tentatively afaik afaict iirc imo imho tbd
    supposedly allegedly estimate estimated estimates reckon conceivably arguably perchance suggests suggest
    vielleicht möglicherweise wahrscheinlich vermutlich könnte könnten dürfte eventuell scheint peut-être probablement pourrait
    semble quizás quizá probablemente podría parece forse probabilmente potrebbe talvez provavelmente poderia misschien
    waarschijnlijk mogelijk`),
  duty: words('should ought supposed expect expects expected'),
  condition: words('if unless whether depending until pending provided assuming falls wenn bis sofern jusqu si'),
  negation: words(`not no never none nothing nobody nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt
    werent wont wouldnt couldnt shouldnt hasnt havent hadnt unable impossible unlikely hardly barely lack lacks lacking lacked
    nicht kein keine keinen keinem keiner nie niemals ohne nichts ne pas jamais aucun aucune sans rien nunca ningún ninguna
    sin nada mai nessuno senza não nenhum sem niet geen nooit zonder`),
  part: words(`some several few couple many most mostly mainly partly partially partial often usually sometimes occasionally
    intermittent intermittently rarely seldom generally typically nearly almost flaky`),
  problem: words(`fail fails failed failing failure failures broken break breaks breaking broke crash crashes crashed crashing error
    errors regression leak leaks leaking`),
  blocker: words(`block blocks blocked blocker blockers blocking stuck wait waits waited waiting await awaits awaiting stalled depend
    depends depended depending dependent pending impediment prevents preventing prevented until blockiert wartet bloqué
    bloqueado`),
  next: words(
    'next must todo to-do will shall plan plans planned planning gonna intend intends intending remaining remains follow-up followup',
  ),
};

/** Said together, these count as the last class named. */
export const phrases: [first: string, second: string, kind: MarkerClass][] = [
  ['going', 'to', 'next'],
  ['follow', 'up', 'next'],
  ['want', 'to', 'next'],
  ['still', 'to', 'next'],
  ['held', 'up', 'blocker'],
  ['on', 'hold', 'blocker'],
  ['looks', 'like', 'hedge'],
  ['sounds', 'like', 'hedge'],
  ['not', 'sure', 'hedge'],
  ['not', 'certain', 'hedge'],
  ['have', 'to', 'next'],
  ['has', 'to', 'next'],
  ['need', 'to', 'next'],
  ['needs', 'to', 'next'],
];

/** In the answer these will do as well: "I am going to deploy tomorrow" may become "Deploy tomorrow". */
const alsoAccepted: Partial<Record<MarkerClass, string[]>> = {
  duty: words('probably likely hopefully presumably'),
  next: words('then later afterwards tomorrow soon still should need needs open left after monday tuesday wednesday thursday friday'),
  condition: words('once when depends depend after before blocked waiting awaiting'),
  blocker: words('needs need requires required before after'),
  hedge: words('should about around roughly approximately'),
  problem: words('issue issues bug bugs problem problems wrong not no never cannot without outage trouble fault faulty'),
  part: words('part half parts about around sporadic sporadically portion rare'),
};

function index(table: Partial<Record<MarkerClass, string[]>>): Map<string, MarkerClass[]> {
  const found = new Map<string, MarkerClass[]>();
  for (const [kind, list] of Object.entries(table) as [MarkerClass, string[]][]) {
    for (const word of list) found.set(word, [...(found.get(word) ?? []), kind]);
  }
  return found;
}

const markers = index(lists);
const accepted = index(alsoAccepted);

/** The classes a word belongs to. `can't` and every other …n't deny; …'ll says what comes. */
export function classesOf(word: string): readonly MarkerClass[] {
  if (word.endsWith("n't")) return ['negation'];
  if (word.endsWith("'ll")) return ['next'];
  return markers.get(word) ?? [];
}

/** The classes a word can stand in for in an answer. */
export function standInClasses(word: string): readonly MarkerClass[] {
  return accepted.get(word) ?? [];
}

export const classes = Object.keys(lists) as MarkerClass[];

/** Words that make a thing certain, whole or finished: an answer must not bring the first of them. */
export const certain = new Set(
  words('definitely certainly surely undoubtedly guaranteed confirmed proven always everything all every fully completely entirely'),
);
export const finished = new Set(words('done finished completed complete resolved solved fixed'));
