/**
 * Characters that turn the direction of what follows: embeddings, overrides and isolates. A name with one reads as another
 * one. Letters that run from right to left, and the marks that go with them, are text.
 */
export const TURNING = /[\u202A-\u202E\u2066-\u2069]/;
