/** Who had a long piece of work waits while others are served (behaviour §13.15). */
import test from 'ava';
import { inTurn } from '../../src/access/turns.ts';

function busy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('saturation: after a dear piece of work a person waits, and whoever else asks is served before them', async (t) => {
  const order: string[] = [];
  const work = (name: string, ms: number) => () => {
    busy(ms);
    order.push(name);
  };
  await inTurn(1, work('dear', 40));
  await Promise.all([inTurn(1, work('next', 0)), inTurn(2, work('other', 0))]);
  t.deepEqual(order, ['dear', 'other', 'next']);
});

test('saturation: what nobody waits for any more is not begun, and a failure counts as work', async (t) => {
  await t.throwsAsync(
    inTurn(3, () => {
      busy(40);
      throw new Error('refused');
    }),
    { message: 'refused' },
  );
  let begun = false;
  await t.throwsAsync(
    inTurn(
      3,
      () => {
        begun = true;
      },
      () => false,
    ),
  );
  t.false(begun);
});
