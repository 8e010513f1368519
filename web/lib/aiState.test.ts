import { expect, test } from 'vitest'
import type { AiConnection } from '#contract/ai.ts'
import { findAiProblem } from './aiState.ts'

const connection: AiConnection = {
  source: 'own',
  base_url: 'https://ai.example/v1',
  key_state: 'stored',
  key_end: '1234',
  model: 'small',
  image_model: 'painter',
  capabilities: { tools: true, structured_output: null, vision: false, images: true },
  input_price: null,
  output_price: null,
  has_operator_connection: false,
}

test('without a connection, findAiProblem says how to turn the AI on', () => {
  expect(findAiProblem({ ...connection, source: 'off' })).toBe(
    'No AI is connected. Connect one on the account page, or ask the operator of this server.',
  )
})

test('when the key is lost, findAiProblem says that it must be entered again', () => {
  expect(findAiProblem({ ...connection, key_state: 'lost' })).toBe(
    'The key of your AI connection can no longer be read. Enter it again on the account page.',
  )
})

test('an ability that was not probed does not count as missing, and one that the model lacks is reported', () => {
  expect(findAiProblem(connection, ['tools', 'structured_output', 'images'])).toBeUndefined()
  expect(findAiProblem(connection, ['tools', 'vision'])).toBe(
    'The model small cannot see pictures. Choose another one on the account page.',
  )
})

test('without a model for pictures, findAiProblem says how to get one', () => {
  expect(findAiProblem({ ...connection, source: 'operator', image_model: '' }, ['images'])).toBe(
    'No model that makes pictures is connected. Connect one on the account page, or ask the operator of this server.',
  )
  expect(findAiProblem({ ...connection, image_model: '' }, ['images'])).toBe(
    'No model that makes pictures is connected. Choose one on the account page.',
  )
})
