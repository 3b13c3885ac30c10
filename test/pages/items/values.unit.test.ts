/** Converting an item to a form's text and back, and merging two changes. */
import fc from 'fast-check';
import type { Work } from '../../../src/items/schema.ts';
import { Fields } from '../../../src/pages/frame/fields.ts';
import { Form, problemOf } from '../../../src/pages/frame/forms.ts';
import { html } from '../../../src/pages/frame/html.ts';
import { type FormName, namesOf } from '../../../src/pages/items/fields.ts';
import { formLabels } from '../../../src/pages/items/form.ts';
import { marksOf, reconcile, recordOf, type Values, valuesIn, valuesOf } from '../../../src/pages/items/values.ts';
import { keyOf } from '../../../src/pages/workspace/workflow.ts';
import { type Fault, InvalidRequest } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const statuses = [
  { key: 'planned', status: 'planned' },
  { key: 'doing', status: 'in_progress' },
];
const names = namesOf('task');

const task = (change: Partial<Work> = {}, fields: object = {}): Work =>
  ({
    id: 1,
    type: 'task',
    title: 'Write',
    description: '',
    status: 'planned',
    version: 3,
    ...change,
    fields: { statusKey: 'planned', priorityKey: 'normal', estimatedHours: null, dueDate: null, assigneeId: null, ...fields },
  }) as unknown as Work;

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((part) => part.replaceAll('\r', ''));
const stored = fc
  .record({ description: text, hours: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })), acceptance: fc.option(text) })
  .map(({ description, hours, acceptance }) => task({ description }, { estimatedHours: hours, acceptance }));

test('a form sent back unchanged changes nothing', (t) => {
  fc.assert(
    fc.property(stored, (work) => {
      const sent = valuesIn(new Form({ ...valuesOf(work, names) } as Record<string, string>), names);
      const { description, fields } = recordOf(sent, { type: 'task', statuses, stored: work }) as {
        description: string;
        fields: Work['fields'];
      };
      return (
        description === work.description &&
        fields.estimatedHours === work.fields.estimatedHours &&
        (fields.acceptance ?? null) === (work.fields.acceptance ?? null)
      );
    }),
  );
  t.pass();
});

test('an unchanged text keeps its line ends and spaces, although browsers send others', (t) => {
  const work = task({ title: ' Write ', description: 'one\r\ntwo\rthree\n' });
  const sent = new Form({ ...valuesOf(work, names), description: 'one\r\ntwo\rthree\r\n' } as Record<string, string>);
  t.like(recordOf(valuesIn(sent, names), { type: 'task', statuses, stored: work }), {
    title: ' Write ',
    description: 'one\r\ntwo\rthree\n',
  });
});

test('an emptied field is null, a number is a number, and the status follows its key', (t) => {
  const values = {
    ...valuesOf(task({}, { dueDate: '2026-03-02' }), names),
    dueDate: '',
    estimatedHours: '1.5',
    assigneeId: '7',
    statusKey: 'doing',
  };
  const record = recordOf(values, { type: 'task', statuses, stored: task() });
  t.like(record, { status: 'in_progress', fields: { dueDate: null, estimatedHours: 1.5, assigneeId: 7, statusKey: 'doing' } });
});

test('an invalid number is left for the rules to refuse', (t) => {
  const record = recordOf({ ...valuesOf(task(), names), estimatedHours: '1,5' }, { type: 'task', statuses, stored: task() });
  t.true(Number.isNaN((record.fields as { estimatedHours: number }).estimatedHours));
});

test('a key that the workspace has removed stays with its status', (t) => {
  const work = task({ status: 'in_review' }, { statusKey: 'gone' });
  t.like(recordOf(valuesOf(work, names), { type: 'task', statuses, stored: work }), { status: 'in_review', fields: { statusKey: 'gone' } });
});

const values = fc.record({ title: text, description: text, dueDate: text, assigneeId: text });

test("a merge takes my value where I changed it and the other user's elsewhere", (t) => {
  fc.assert(
    fc.property(values, values, values, (before, mine, theirs) => {
      const { merged, differences } = reconcile(mine, theirs, marksOf(before));
      return (Object.keys(mine) as (keyof typeof mine)[]).every((name) => {
        const listed = differences.find((one) => one.name === name);
        const [own, other] = [mine[name] !== before[name], theirs[name] !== before[name]];
        const isConflict = own && other && mine[name] !== theirs[name];
        return (
          (listed !== undefined) === isConflict &&
          (listed ? listed.mine === mine[name] && listed.theirs === theirs[name] : merged[name] === (own ? mine[name] : theirs[name]))
        );
      });
    }),
  );
  t.pass();
});

test('without readable original values every typed value conflicts, so none is lost', (t) => {
  const mine: Values = { title: 'Mine' };
  for (const marks of ['', 'null', '"x"', '[', '7'])
    t.deepEqual(reconcile(mine, { title: 'Theirs' }, marks).differences, [{ name: 'title', mine: 'Mine', theirs: 'Theirs' }]);
});

test('a type has the fields that apply to it', (t) => {
  const has = (type: Parameters<typeof namesOf>[0], ...fields: FormName[]) => fields.map((field) => namesOf(type).includes(field));
  t.deepEqual(has('task', 'parentItemId', 'acceptance', 'reach', 'versionLabel'), [true, true, false, false]);
  t.deepEqual(has('release', 'versionLabel', 'acceptance', 'goalId', 'dueDate'), [true, false, true, false]);
  t.false(namesOf('task', ['goalId']).includes('goalId'));
});

test("an error uses the form's labels instead of API names", (t) => {
  const told = (...fault: ConstructorParameters<typeof InvalidRequest>) => problemOf(new InvalidRequest(...fault), formLabels);
  t.is(told(['record', 'fields', 'dueDate'], 'give a date.'), 'Due date: give a date.');
  const after: Fault = { path: ['fields', 'startDate'], whatToDo: (nameOf) => `must not be after ${nameOf(['fields', 'dueDate'])}.` };
  t.is(told(after.path, after.whatToDo), 'Start date: must not be after Due date.');
  t.is(told(['comment'], 'say what has to change.'), 'Say what has to change.');
  t.is(told(['constructor'], 'x'), 'constructor: x');
  t.is(told(['record', 'title'], 'is required.', after), 'Title: is required. Start date: must not be after Due date.');
});

test('each fault is shown at its field and marks only that', (t) => {
  const refusal = new InvalidRequest(['record', 'title'], 'is required.', {
    path: ['record', 'fields', 'dueDate'],
    whatToDo: 'give <a> date.',
  });
  const faults = new Fields(formLabels, { error: refusal, form: new Form({}) });
  const shown = (field: string) => html`${faults.mark(field)}|${faults.note(field)}`.text;
  t.is(
    shown('title'),
    ' aria-invalid="true" aria-describedby="fault-title" autofocus|<small class="fault" id="fault-title">Is required.</small>',
  );
  t.regex(shown('dueDate'), /id="fault-dueDate">Give &lt;a&gt; date\.</);
  t.is(shown('startDate'), '|');
});

test('a key is made from a name', (t) => {
  const key = (label: string, given = '') => keyOf(new Form({ label, key: given }));
  t.is(key('In Test!'), 'in_test');
  t.is(key('Überprüft'), 'uberpruft');
  t.is(key('Anything', 'own-key'), 'own-key');
  t.is(key('日本'), '');
});
