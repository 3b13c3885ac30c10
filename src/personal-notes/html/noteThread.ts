import { answerQuestions } from '../../values/helperThread.ts';
import { displayedNote } from './display.ts';
import { checkNoteHtml } from './html.ts';
import type { Answer, Question } from './readNoteHtml.ts';

answerQuestions(
  ({ check, html }: Question): Answer =>
    check ? { ...checkNoteHtml(html), shown: '' } : { title: '', text: '', shown: displayedNote(html) },
);
