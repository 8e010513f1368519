/** The maximum number of records and files in a message to the assistant. This file has no schemas, because every list loads it. */
export const maxReferences = 20
