import { expect, it } from 'vitest';
import { LOCAL_CALIBRATION } from '../../src/embeddings/local.ts';
import { createVoyageModel } from '../../src/embeddings/voyage.ts';

it('gives the vectors of a small encoder less weight than words have, those of a retrieval model as much', () => {
  expect(LOCAL_CALIBRATION.fusionWeight).toBeLessThan(1);
  expect(createVoyageModel({ apiKey: 'key' }).calibration.fusionWeight).toBe(1);
});
