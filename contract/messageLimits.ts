/** The maximum number of records and files in a message to the assistant. Without schemas, because every list loads it. */
export const maxReferences = 20
