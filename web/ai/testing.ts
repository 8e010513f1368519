// For tests: the responses of the server when no AI is connected.
import type { AiConnection, AiUsage } from '#contract/ai.ts'

export const noAi: AiConnection = {
  source: 'off',
  base_url: '',
  key_state: 'none',
  key_end: '',
  model: '',
  image_model: '',
  capabilities: { tools: null, structured_output: null, vision: null, images: null },
  input_price: null,
  output_price: null,
  has_operator_connection: false,
}

export const noAiUsage: AiUsage = {
  month: '2026-11-01',
  answers: 0,
  images: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost: null,
  tokens_today: 0,
  tokens_per_day: null,
}

export const noAiHandlers = { 'GET /api/ai': noAi, 'GET /api/ai/usage': noAiUsage, 'GET /api/ai/local': { servers: [] } }
