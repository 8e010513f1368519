// The page and the panel are one chunk, because they share almost all of their code, and every further chunk makes the first load of other
// screens larger.
export { AssistantPage } from './AssistantPage.tsx'
export { AssistantPanel } from './panel/AssistantPanel.tsx'
