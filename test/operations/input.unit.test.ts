/** Validation messages, behaviour §5.8: one sentence that names the field and says what to do. */
import { z } from 'zod';
import { parseInput } from '../../src/operations/input.ts';
import { InvalidRequest } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const schema = z.strictObject({
  type: z.enum(['task', 'goal']),
  mode: z.literal('only').optional(),
  record: z.strictObject({ on: z.boolean().optional(), fields: z.array(z.number()).optional() }).optional(),
  title: z.string().optional(),
});

const messages: [unknown, string][] = [
  [[], 'The body: give an object.'],
  [null, 'The body: give an object.'],
  [{}, 'type: is required.'],
  [{ type: 'Task' }, 'type: give one of task, goal.'],
  [{ type: null }, 'type: give one of task, goal.'],
  [{ type: 'task', mode: 'other' }, 'mode: give only.'],
  [{ type: 'task', title: 1 }, 'title: give a string.'],
  [{ type: 'task', record: [] }, 'record: give an object.'],
  [{ type: 'task', record: { on: 'yes' } }, 'record.on: give true or false.'],
  [{ type: 'task', record: { fields: {} } }, 'record.fields: give an array.'],
  [{ type: 'task', record: { fields: [1, '2'] } }, 'record.fields[1]: give a number.'],
  [{ type: 'task', toString: 1 }, 'toString: is not known here; leave it out.'],
];

for (const [value, message] of messages) {
  test(`${JSON.stringify(value)} gets a message that says what to do`, (t) => {
    t.throws(() => parseInput(schema, value), { instanceOf: InvalidRequest, message });
  });
}
