import { test } from 'node:test';
import { sorts } from '../server/findings/orders.ts';
import { checkSelection, choices } from './findings-lists.fixture.ts';

for (const sort of sorts) {
  test(`every filter and pair of filters, sorted by ${sort}, selects the same as the model`, async () => {
    for (const [index, chosen] of choices.entries()) await checkSelection(chosen, sort, index + 1);
  });
}
