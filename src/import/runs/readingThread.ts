/** Entry of the thread that reads a file. It asks for the bytes piece by piece, and answers with rows piece by piece. */
import { answerQuestions } from '../../values/helperThread.ts';
import { detectFormat } from '../sources/detect.ts';
import type { OpenSource } from '../sources/source.ts';
import type { Answer, Question } from './reading.ts';
import { prepareRows, stageRows } from './readRows.ts';

/** Of the current question. */
let answered = Promise.withResolvers<Answer>();
/** Of the next question, if it is not the first. */
let asked = Promise.withResolvers<Uint8Array | null>();

function answerWith(answer: Answer): Promise<Uint8Array | null> {
  asked = Promise.withResolvers();
  answered.resolve(answer);
  return asked.promise;
}

const open: OpenSource = async function* () {
  for (let piece = await answerWith({ wants: 'start' }); piece; piece = await answerWith({ wants: 'piece' })) yield piece;
};

function begin(question: Exclude<Question, { piece: unknown }>): Promise<Answer> | Answer {
  switch (question.begin) {
    case 'detect':
      return { format: detectFormat(question.head, question.name) };
    case 'prepare':
      return prepareRows(open, question.format, question).then((prepared) => ({ prepared }));
    case 'stage':
      return stageRows(open, question.survey, question, (found) => answerWith({ found })).then((refused) => ({ refused }));
  }
}

answerQuestions((question: Question): Promise<Answer> => {
  answered = Promise.withResolvers();
  const { promise } = answered;
  if ('piece' in question) asked.resolve(question.piece);
  else
    void Promise.try(begin, question).then(
      (last) => answered.resolve(last),
      (error) => answered.reject(error),
    );
  return promise;
});
