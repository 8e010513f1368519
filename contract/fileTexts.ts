/**
 * Why a file has no text. `no_text`: an image, a scan or an empty document. `timeout`, `out_of_memory`: reading the file would take too
 * much time or memory.
 */
export const textReasons = ['encrypted', 'damaged', 'too_large', 'timeout', 'out_of_memory', 'unsupported', 'no_text'] as const
export type TextReason = (typeof textReasons)[number]

/** The maximum length of the text that is read from a file, in UTF-16 code units. */
export const maxTextLength = 1_000_000
