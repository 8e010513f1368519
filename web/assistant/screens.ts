// The page and the panel are one chunk, because they share almost all of their code, and the names of all chunks are in the code that every
// screen loads first.
export { AssistantPage } from './AssistantPage.tsx'
export { AssistantPanel } from './panel/AssistantPanel.tsx'
