/** Words of the check in lower case; a hyphen joins words that count as one (words.ts). facts.ts finds names by spelling. */
import { keysOf } from '../../../values/records.ts';

export type MarkerClass = 'hedge' | 'duty' | 'condition' | 'negation' | 'part' | 'problem' | 'blocker' | 'next';

export function rows<Key extends string>(table: Partial<Record<Key, string>>): Map<string, Key[]> {
  const found = new Map<string, Key[]>();
  for (const key of keysOf(table)) for (const word of table[key]?.split(/\s+/) ?? []) found.set(word, [...(found.get(word) ?? []), key]);
  return found;
}

/** Also the most common denials and doubts in other languages, so that "nicht" can't disappear. */
const marks: Record<MarkerClass, string> = {
  hedge: `may might could maybe perhaps possibly possible possibility potential potentially probably probable likely unlikely
    presumably seem seems seemed seemingly appear appears appeared apparently suspect suspected suspects suspicion think thinks thought
    believe believes believed guess guessing assume assumes assumed assumption unsure uncertain uncertainty unclear unknown unconfirmed
    unverified doubt doubts doubtful hopefully hope tentative tentatively afaik afaict iirc imo imho tbd supposedly allegedly estimate
    estimated estimates reckon conceivably arguably suggest suggests looks-like sounds-like not-sure not-certain
    vielleicht möglicherweise wahrscheinlich vermutlich könnte könnten dürfte eventuell scheint peut-être probablement pourrait
    quizás quizá probablemente podría parece forse probabilmente potrebbe talvez provavelmente misschien waarschijnlijk`,
  duty: 'should ought supposed expect expects expected',
  condition: 'if unless whether depending until pending provided assuming wenn falls bis sofern si',
  negation: `not could-not no never none nothing nobody nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont
    wouldnt couldnt shouldnt hasnt havent hadnt unable impossible unlikely hardly barely lack lacks lacking lacked
    nicht kein keine keinen keinem keiner nie niemals ohne nichts ne pas jamais aucun aucune sans nunca ningún ninguna sin nada
    nessuno senza não nenhum sem niet geen nooit zonder`,
  part: `some several few couple many most mostly mainly partly partially partial often usually sometimes occasionally intermittent
    intermittently rarely seldom generally typically nearly almost flaky`,
  problem: `fail fails failed failing failure failures broken break breaks breaking broke crash crashes crashed crashing error errors
    regression leak leaks leaking`,
  blocker: `block blocks blocked blocker blockers blocking stuck wait waits waited waiting await awaits awaiting stalled depend depends
    depended depending dependent pending impediment prevents preventing prevented until held-up on-hold blockiert wartet bloqué bloqueado`,
  next: `next must todo to-do will shall plan plans planned planning gonna intend intends intending remaining remains follow-up
    followup going-to want-to still-to have-to has-to need-to needs-to`,
};

export const classes = keysOf(marks);
export const markers = rows(marks);

/** …n't is a negation; …'ll is a next step. */
export function marksOf(word: string): MarkerClass[] {
  if (word.endsWith("n't")) return ['negation'];
  return word.endsWith("'ll") ? ['next'] : (markers.get(word) ?? []);
}

/** Words that claim certainty, completeness or an end. An answer must not add them. */
export const certain = new Set(
  'definitely certainly surely undoubtedly guaranteed confirmed proven always everything all every fully completely entirely'.split(' '),
);
export const finished = new Set('done finished completed complete resolved solved fixed'.split(' '));

/** Function words of English, "I" and "we" in other languages, fillers. A note loses nothing without them; none is a name. */
export const emptyWords = new Set(
  `a an the this that these those such same other another each any both either all more less least own one
  i we he she it they you me us him her them who whom whose which what where when why how my our your his their its mine ours
  myself ourselves itself themselves someone anyone everyone something anything ich wir je nous yo nosotros io noi eu nós ik wij
  of to in on at by with from into onto over under up down out off about as than per via for after before during since while through
  between among within against because although though however therefore and or but so yet then thus hence if
  am is are was were be been being do does did doing have has had having can would get got gets getting let lets go goes going went
  make makes made making take takes took taking look looks looked looking put said says work worked working step steps thing things
  talked spent turns turned ahead along away way bit lot kind sort stuff like able well also too very just only even still again already now here there
  really actually basically honestly simply quite quick quickly currently recently ok okay yes please thanks hi hello hey
  some-kind some-sort some-time not-only most-of-the-day did-have-to did-want-to at-least at-most up-to more-than less-than fewer-than`.split(
    /\s+/,
  ),
);
