import { setTimeout as delay } from 'node:timers/promises';
import { type GenerateRequest, type LanguageModel, ModelError } from '../../llm/model.ts';
import { createPause, type SharedPause } from '../../pause.ts';

/**
 * The model, which is not called while its provider wants none: what one call was told, others need not find out, those of other
 * instances included.
 */
export function keepPauses(model: LanguageModel, shared: SharedPause | undefined): LanguageModel {
  const pause = createPause({ now: () => performance.now(), shared });

  async function passed({ signal, onWait }: GenerateRequest): Promise<void> {
    // it may have become longer meanwhile
    for (let ms = pause.leftMs(); ms > 0; ms = pause.leftMs()) {
      onWait?.({ seconds: ms / 1_000, rateLimited: true });
      await delay(ms, undefined, { signal }).catch((cause: unknown) => {
        throw new ModelError('The call was aborted', { reason: 'aborted', cause });
      });
    }
  }

  return {
    ...model,
    async generate(request) {
      await passed(request);
      return model.generate({
        ...request,
        onWait(wait) {
          if (wait.rateLimited) pause.begin(wait.seconds * 1_000);
          request.onWait?.(wait);
        },
      });
    },
  };
}
