import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test, vi } from 'vitest';
import { createTokenGuesses } from './token-guesses.ts';

const HOME = { requestId: 'r1', clientAddress: '192.0.2.1' };
const AWAY = { requestId: 'r2', clientAddress: '192.0.2.2' };

function guessing() {
  const log = { info: vi.fn(), warn: vi.fn() };
  const guesses = createTokenGuesses(log);
  const fifty = () => {
    for (let i = 0; i < 50; i++) guesses.wrong(`guess ${i}`, HOME);
  };
  return { log, guesses, fifty };
}

test('an address that guesses is refused, but for who was right from there before', () => {
  const { log, guesses, fifty } = guessing();
  guesses.right('runner 1', HOME);
  fifty();
  expect(() => guesses.wrong('one more', HOME)).toThrow(Rejection);
  expect(() => guesses.right('runner 2', HOME)).toThrow(Rejection);
  guesses.right('runner 1', HOME);
  guesses.right('runner 2', AWAY);
  expect(log.warn.mock.calls).toEqual([
    [{ user: null, client: '192.0.2.1', seconds: 60 }, 'sign-ins blocked'],
  ]);
  const refused = { requestId: 'r1', reason: 'too_many', user: null, client: '192.0.2.1' };
  expect(log.info).toHaveBeenLastCalledWith(refused, 'sign-in refused');
});

test('a removed runner that asks for ever is no guesser, and one line in the log', () => {
  const { log, guesses } = guessing();
  for (let i = 0; i < 1000; i++) guesses.wrong('removed', HOME);
  expect(log.info).toHaveBeenCalledTimes(1);
  expect(log.warn).not.toHaveBeenCalled();
});
