/** The thread that judges passwords (passwordStrength.ts): their first characters, against dictionaries and the given words. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import { answerQuestions } from '../values/helperThread.ts';
import type { Question } from './passwordStrength.ts';

/** What a longer password goes on with makes it no weaker, and the time that judging takes grows faster than its length. */
const MOST_CHARACTERS = 64;
/** Other characters for letters (`4` for `a`) are tried in combinations: hostile text has thousands of them. */
const MOST_SUBSTITUTIONS = 4;

const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: MOST_CHARACTERS,
  l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
});

answerQuestions(({ password, words }: Question) => judge.check(password, words).score);
